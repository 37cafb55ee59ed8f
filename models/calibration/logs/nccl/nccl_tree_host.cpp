#include "models/calibration/logs/nccl/nccl_tree_host.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_phrases.hpp"
#include "topology/importers/file_notes.hpp"
#include "topology/importers/pcie_gigabytes.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration::logs {
namespace {

namespace codes = topology::import_codes;
using topology::FileNotes;
using topology::inventory::Device;
using topology::inventory::DeviceKind;
using topology::inventory::Gpu;
using topology::inventory::Inventory;
using topology::inventory::kAssumed;
using topology::inventory::NumaNode;
using topology::inventory::Port;

/// NCCL gives this bandwidth to links that are none, such as those of NICs without a PCI address.
constexpr double kNoLimit = 1000.0;

/// A CPU generation by NCCL's class of a vendor's CPUs and the fastest PCIe link below them.
struct CpuClass {
  std::string_view vendor;  ///< NCCL's number
  std::string_view model;   ///< NCCL's class; -1: none
  std::int64_t generation;  ///< of PCIe
  std::int64_t family;      ///< as in NCCL's XML
  std::int64_t number;
};
constexpr std::array kCpuClasses = {
    CpuClass{"1", "1", 3, 6, 79},     // Broadwell
    CpuClass{"1", "2", 3, 6, 85},     // Skylake, Cascade Lake
    CpuClass{"1", "2", 4, 6, 106},    // Ice Lake
    CpuClass{"1", "2", 5, 6, 143},    // Sapphire Rapids, in releases without class 3
    CpuClass{"1", "3", 5, 6, 143},    // Sapphire Rapids
    CpuClass{"1", "4", 5, 6, 207},    // Emerald Rapids
    CpuClass{"2", "-1", 4, 175, 1},   // Milan, or Rome
    CpuClass{"2", "-1", 5, 175, 17},  // Genoa, or Turin
    CpuClass{"2", "1", 4, 143, 49},   // Rome
    CpuClass{"2", "2", 4, 175, 1},    // Milan
    CpuClass{"2", "2", 5, 175, 17},   // Genoa
    CpuClass{"2", "3", 5, 191, 2},    // Turin
};

/// Converts one tree to the inventories of its hosts.
///
/// The nodes of the tree are the elements of NCCL's XML with less text: their numbers are the
/// addresses, the text of a PCI device its ids. NCCL merges the functions of a card into one NIC;
/// its networks are separate functions again if their port numbers are equal. From 2.29 on a GPU is
/// a DEV node, which has the links and the ids, with a GPU node that has the rank.
class TreeReader {
 public:
  TreeReader(const input::SourcePtr& file, const NcclTree& tree, const NcclHostFacts& facts)
      : notes_(file), tree_(tree), facts_(facts) {}

  tl::expected<std::vector<Inventory>, input::Diagnostics> read() {
    if (!check()) return tl::unexpected(notes_.errors());
    find_nvlink_rate();
    std::map<std::uint64_t, Inventory> hosts;
    for (const NcclBranch& branch : tree_.branches) {
      if (branch.line.link.empty()) hosts[branch.line.node.host].numa_nodes.push_back(cpu(branch));
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    std::vector<Inventory> list;
    for (auto& [number, host] : hosts) {
      host.nccl_version = notes_.stated<std::int64_t>(1);
      if (hosts.size() > 1) {
        for (NumaNode& node : host.numa_nodes) {
          node.host_hash = notes_.stated(fmt::format("0x{:x}", number));
        }
      }
      list.push_back(std::move(host));
    }
    notes_.tell(list.front());
    return list;
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< host and number of a node

  static Key key(const NcclBranch& branch) { return {branch.line.node.host, branch.line.node.id}; }

  /// Whether the tree is whole: each line can be read, and all nodes that links lead to are there.
  bool check() {
    if (tree_.fault) {
      incomplete(tree_.fault->first, tree_.fault->second);
    } else if (tree_.branches.size() > kMostNcclNodes) {
      notes_.error(codes::kTooMuch, notes_.at(tree_.first_line),
                   fmt::format("NCCL's system tree has more than {} nodes", kMostNcclNodes));
    } else if (tree_.branches.empty() || !tree_.is_closed) {
      const auto& last = tree_.branches.empty() ? tree_.first_line : tree_.branches.back().text;
      notes_.error(codes::kNothingInIt, notes_.at(last), "the file ends within NCCL's system tree",
                   "the tree up to its last line, \"==========\"");
    } else {
      check_ends();
    }
    return !notes_.failed();
  }

  void check_ends() {
    std::map<std::string_view, std::set<Key>> present;
    for (const NcclBranch& branch : tree_.branches) {
      const auto& line = branch.line;
      const bool is_local = line.link == "LOC" && line.node.type == "GPU";
      if (line.link.empty() || line.link == "PCI" || is_local) {
        present[line.node.type].insert(key(branch));
      }
    }
    for (const NcclBranch& branch : tree_.branches) {
      const auto& [link, gigabytes, column, node] = branch.line;
      if (link == "XGMI" || (node.type == "DEV" && node.inside.starts_with("1002"))) {
        return notes_.error(codes::kAmdGpus, notes_.at(branch.text),
                            "AMD GPUs are not supported, NVIDIA GPUs only");
      }
      const bool is_to_gpu = link == "NVL" && node.type != "NVS" && node.type != "CPU";
      if ((link != "SYS" && !is_to_gpu) || present[node.type].contains(key(branch))) continue;
      return incomplete(branch.text,
                        fmt::format("the line refers to a {} that NCCL's system tree does not "
                                    "have: lines are missing",
                                    node.type));
    }
    if (has_only_empty_switches()) {
      incomplete(tree_.first_line,
                 "no PCIe switch of NCCL's system tree has a device below it: the blanks at the "
                 "beginning of its lines are missing");
    } else if (present["GPU"].empty()) {
      notes_.error(codes::kNothingInIt, notes_.at(tree_.first_line),
                   "NCCL's system tree has no GPU");
    }
  }

  void incomplete(const topology::TextSpan& where, std::string what) {
    notes_.error(codes::kBadValue, notes_.at(where), std::move(what),
                 "the lines of one rank as NCCL prints them");
  }

  bool has_only_empty_switches() const {
    std::size_t switches = 0;
    for (const NcclBranch& branch : tree_.branches) {
      if (branch.line.node.type != "PCI") continue;
      if (!branch.below.empty()) return false;
      ++switches;
    }
    return switches > 0;
  }

  void find_nvlink_rate() {
    std::vector<double> totals;
    for (const NcclBranch& branch : tree_.branches) {
      if (branch.line.link == "NVL") totals.push_back(branch.line.gigabytes);
    }
    if (totals.empty()) return;
    nvlink_rate_ = nccl_nvlink_rate(totals);
    if (!nvlink_rate_) has_unknown_nvlinks_ = true;
  }

  NumaNode cpu(const NcclBranch& branch) {
    NumaNode numa;
    constexpr std::uint64_t kMostNumaNodes = 1024;  // more: NCCL's -1, unknown
    if (branch.line.node.id < kMostNumaNodes) {
      numa.id = notes_.stated(static_cast<std::int64_t>(branch.line.node.id));
    }
    numa.place = notes_.at(branch.text);
    fastest_ = 0;
    read_below(branch, numa.devices, &numa.without_pcie);
    read_model(branch.line.node.inside, numa);
    return numa;
  }

  void read_model(std::string_view inside, NumaNode& numa) {
    const std::string_view arch = cut_at(inside, "/");
    const std::string_view vendor = cut_at(inside, "/");
    if (arch == "1") numa.arch = notes_.stated(std::string("x86_64"));
    if (arch == "2") numa.arch = notes_.stated(std::string("ppc64"));
    if (arch == "3") numa.arch = notes_.stated(std::string("arm64"));
    if (arch != "1") return;
    if (vendor == "1") numa.vendor = notes_.stated(std::string("GenuineIntel"));
    if (vendor == "2") numa.vendor = notes_.stated(std::string("AuthenticAMD"));
    const auto known = std::ranges::find_if(kCpuClasses, [&](const CpuClass& each) {
      return each.vendor == vendor && each.model == inside && each.generation == fastest_;
    });
    if (known == kCpuClasses.end()) return;
    numa.family = {known->family, kAssumed};
    numa.model = {known->number, kAssumed};
    notes_.assume(
        "the model of the CPU is inferred from NCCL's class of CPUs and the fastest PCIe link");
  }

  void read_below(const NcclBranch& branch, std::vector<Device>& devices,
                  std::vector<Device>* without_pcie = nullptr) {
    for (const std::size_t index : branch.below) {
      const NcclBranch& child = tree_.branches[index];
      if (child.line.link != "PCI") continue;
      const std::string_view type = child.line.node.type;
      if (type == "NIC" && without_pcie != nullptr && child.line.gigabytes >= kNoLimit) {
        read_nic(child, *without_pcie);
      } else if (type == "NIC") {
        read_nic(child, devices);
      } else if (type == "GPU" || type == "DEV") {
        devices.push_back(gpu(child));
      } else if (type == "PCI") {
        Device bridge = device(child, DeviceKind::kBridge);
        read_below(child, bridge.below);
        if (!bridge.below.empty()) devices.push_back(std::move(bridge));
      } else {
        notes_.skip("nodes of NCCL's system tree of unknown kind", printable_text(type));
      }
    }
  }

  Device device(const NcclBranch& branch, DeviceKind kind) {
    Device device;
    device.kind = kind;
    device.bus_id = nccl_bus_id(branch.line.node.id);
    device.place = notes_.at(branch.text);
    read_ids(branch.line.node.inside, device);
    if (branch.line.gigabytes < kNoLimit) read_link(branch.line.gigabytes, device);
    return device;
  }

  /// "1000c0301000ffff": vendor, device and those of the subsystem, without leading zeros. NCCL
  /// sets the last four digits of merged switches to 0 or ffff, and prints 0 for unknown ones.
  void read_ids(std::string_view inside, Device& device) {
    if (inside.size() < 13 || inside.size() > 16) return;
    const std::string digits =
        topology::lower_case(std::string(16 - inside.size(), '0') + std::string(inside));
    if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return;
    device.vendor = notes_.stated(digits.substr(0, 4));
    device.device = notes_.stated(digits.substr(4, 4));
    const std::string subsystem = digits.substr(12);
    if (subsystem == "0000" || subsystem == "ffff") return;
    device.subsystem_vendor = notes_.stated(digits.substr(8, 4));
    device.subsystem_device = notes_.stated(subsystem);
  }

  void read_link(double gigabytes, Device& device) {
    const auto link = topology::link_of_nccl_gigabytes(gigabytes, device.kind);
    if (!link) {
      notes_.skip("PCIe links whose GB/s fit no generation and number of lanes",
                  fmt::format("{} with {:.1f}", topology::name_in_messages(device), gigabytes));
      return;
    }
    device.link = notes_.stated(link->width);
    fastest_ = std::max(fastest_, link->width.generation);
    if (link->only_one) return;
    device.link->source = kAssumed;
    notes_.assume(
        "NCCL reports GB/s of PCIe links: taken as the generation that has this rate with 16 "
        "lanes, else with 8",
        device.bus_id);
  }

  Device gpu(const NcclBranch& branch) {
    Device device = this->device(branch, DeviceKind::kGpu);
    Gpu& gpu = device.gpu.emplace();
    const auto number = facts_.gpu_numbers.find(device.bus_id);
    if (number != facts_.gpu_numbers.end()) gpu.index = notes_.stated(number->second);
    const NcclBranch* own = &branch;
    if (branch.line.node.type == "DEV") {
      own = nullptr;
      for (const std::size_t index : branch.below) {
        const NcclBranch& below = tree_.branches[index];
        if (below.line.link != "LOC") continue;
        if (own != nullptr || below.line.node.type != "GPU") return split(branch, device);
        own = &below;
      }
    }
    if (own != nullptr) read_rank(own->line.node.inside, gpu);
    read_nvlinks(branch, gpu, device.bus_id);
    return device;
  }

  Device split(const NcclBranch& branch, const Device& device) {
    notes_.error(codes::kSameGpu, notes_.at(branch.text),
                 fmt::format("{} is a part of a GPU: split GPUs are not supported", device.bus_id));
    return device;
  }

  void read_rank(std::string_view inside, Gpu& gpu) {
    const auto rank = number_in(inside, kMaxNcclRanks);
    if (rank) gpu.rank = notes_.stated(static_cast<std::int64_t>(*rank));
  }

  void read_nvlinks(const NcclBranch& branch, Gpu& gpu, const std::string& bus_id) {
    for (const std::size_t index : branch.below) {
      const auto& [link, gigabytes, column, node] = tree_.branches[index].line;
      if (link == "C2C") {
        const BytesPerSecond rate{std::llround(gigabytes * 1e9)};
        gpu.c2c.push_back({notes_.stated(rate), notes_.stated<std::int64_t>(1)});
      } else if (link == "NVL" && node.type == "CPU") {
        notes_.skip("NVLinks to CPUs are not modelled", bus_id);
      } else if (link == "NVL" && has_unknown_nvlinks_) {
        notes_.warn(
            codes::kOddValue, notes_.at(tree_.branches[index].text),
            fmt::format("NVLinks with {:.1f} GB/s, which is not a multiple of the rate of a "
                        "known NVLink, are not read",
                        gigabytes),
            bus_id);
      } else if (link == "NVL") {
        add_nvlinks(gigabytes, node, gpu);
      }
    }
    if (gpu.nvlinks.empty() && !has_unknown_nvlinks_) {
      gpu.nvlinks_up = notes_.stated<std::int64_t>(0);
    }
    if (gpu.nvlinks.empty() || nvlink_rate_->sm == 0) return;
    gpu.sm = {nvlink_rate_->sm, kAssumed};
    notes_.assume("compute capabilities are inferred from the rate that NCCL gives an NVLink",
                  bus_id);
  }

  void add_nvlinks(double gigabytes, const NcclNode& node, Gpu& gpu) {
    topology::inventory::NvLinks links;
    const bool is_switch = node.type == "NVS";
    links.target = notes_.stated(is_switch ? std::string(topology::inventory::kHiddenNvSwitch)
                                           : nccl_bus_id(node.id));
    links.target_class = notes_.stated(std::string(is_switch ? "068000" : "030200"));
    links.count = notes_.stated(nccl_nvlinks_in(gigabytes, *nvlink_rate_));
    gpu.nvlinks.push_back(std::move(links));
  }

  void read_nic(const NcclBranch& branch, std::vector<Device>& devices) {
    Device nic = device(branch, DeviceKind::kNic);
    std::vector<Port> ports;
    std::set<std::int64_t> numbers;
    for (const std::size_t index : branch.below) {
      const auto& line = tree_.branches[index].line;
      if (line.link != "NET" || line.node.type != "NET") continue;
      ports.push_back(port(line));
      numbers.insert(ports.back().port ? ports.back().port->value : -1);
    }
    const bool is_one_function = numbers.size() == ports.size();
    if (is_one_function || nic.bus_id.empty()) {
      nic.ports = std::move(ports);
      devices.push_back(std::move(nic));
      return;
    }
    for (std::size_t function = 0; function < ports.size(); ++function) {
      Device& each = devices.emplace_back(nic);
      each.bus_id = nccl_bus_id(branch.line.node.id + function);
      each.ports = {std::move(ports[function])};
    }
  }

  /// "NET/0-2 (0/6c5a4c0003ebc008/1/3.125000)": collective support (from 2.24 on), GUID, port,
  /// GB/s.
  Port port(const NcclTreeLine& line) {
    Port port;
    const std::uint64_t dev = line.node.id;
    port.dev = notes_.stated(static_cast<std::int64_t>(std::min<std::uint64_t>(dev, 65535)));
    std::vector<std::string_view> parts;
    for (std::string_view rest = line.node.inside; !rest.empty();) {
      parts.push_back(cut_at(rest, "/"));
    }
    if (dev < facts_.nics.size()) read_name(facts_.nics[dev], port);
    double gigabytes = line.gigabytes;
    if (parts.size() >= 3) {
      gigabytes = parse<double>(parts.back()).value_or(gigabytes);
      const auto number = number_in(parts[parts.size() - 2], 65535);
      if (number) port.port = notes_.stated(static_cast<std::int64_t>(*number));
      const std::string_view guid = parts[parts.size() - 3];
      if (guid.find_first_not_of('0') != guid.npos && guid.size() <= 16) {
        port.guid = notes_.stated("0x" + topology::lower_case(guid));
      }
      if (parts.size() >= 4 && parts[parts.size() - 4] == "1") port.coll = notes_.stated(true);
    }
    constexpr double kMegabits = 8000.0;  // NCCL: GB/s = Mbit/s / 8000
    if (gigabytes > 0 && gigabytes < 1e6) {
      port.rate = notes_.stated(std::llround(gigabytes * kMegabits) *
                                topology::inventory::kMegabitPerSecond);
    }
    return port;
  }

  void read_name(const std::string& name, Port& port) {
    port.name = notes_.stated(name);
    const auto gdr = facts_.gdr.find(name);
    if (gdr != facts_.gdr.end()) port.gdr = notes_.stated(gdr->second);
  }

  FileNotes notes_;
  const NcclTree& tree_;
  const NcclHostFacts& facts_;
  std::optional<NcclNvLinkRate> nvlink_rate_;
  bool has_unknown_nvlinks_ = false;
  std::int64_t fastest_ = 0;  ///< generation of the fastest PCIe link of the current NUMA node
};

}  // namespace

tl::expected<std::vector<Inventory>, input::Diagnostics> hosts_of(const input::SourcePtr& file,
                                                                  const NcclTree& tree,
                                                                  const NcclHostFacts& facts) {
  return TreeReader(file, tree, facts).read();
}

}  // namespace vgsim::calibration::logs
