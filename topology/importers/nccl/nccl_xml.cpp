#include "topology/importers/nccl/nccl_xml.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "topology/graph/pcie_speed.hpp"
#include "topology/importers/nccl/nccl_same_gpu.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/device_facts.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::topology {
namespace {

using namespace vgsim::literals;
using namespace inventory;
using input::Location;
using pugi::xml_node;

constexpr XmlLimits kLimits{16u << 20, 32};
constexpr std::size_t kMaxDevices = 4096;
constexpr std::size_t kMaxNumaNodes = 64;
constexpr std::int64_t kAnyInteger = 1'000'000'000;

/// An element of NCCL: its allowed parents and its attributes, read or ignored.
struct ElementRule {
  std::string_view name;
  std::string_view parents;     ///< separated by blanks
  std::string_view attributes;  ///< separated by blanks; "*" for any
};

constexpr std::array kRules = {
    ElementRule{"system", "", "version"},
    ElementRule{"cpu", "system", "host_hash numaid affinity arch vendor familyid modelid"},
    ElementRule{"pci", "cpu pci",
                "busid class vendor device subsystem_vendor subsystem_device link_speed "
                "link_width"},
    ElementRule{"nic", "cpu pci", ""},
    ElementRule{"gpu", "pci", "dev sm mlopart rank gdr gcn arch"},
    ElementRule{"nvlink", "gpu", "target count tclass"},
    ElementRule{"xgmi", "gpu", "target count tclass"},
    ElementRule{"c2c", "gpu", "bw count"},
    ElementRule{"net", "nic",
                "name dev speed port guid maxconn gdr latency coll net gin rma rail plane keep"},
    ElementRule{"pcilink", "pci", "*"},
};

bool is_word_of(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

const ElementRule* rule_of(std::string_view element) {
  const auto rule =
      std::ranges::find_if(kRules, [&](const ElementRule& r) { return r.name == element; });
  return rule == kRules.end() ? nullptr : &*rule;
}

/// Converts the checked tree of elements to an inventory. kLimits limits the depth. 0 and an empty
/// text mean "unknown" in NCCL and become nothing in an inventory.
///
/// One table contains the allowed parents and attributes of each element. Unknown elements are
/// ignored with one warning for each kind, because later releases extend the grammar; a known
/// element in a wrong place is an error, because NCCL would read a different machine.
class NcclReader {
 public:
  NcclReader(const input::SourcePtr& source, NcclGpus gpus)
      : notes_(source), xml_(notes_), gpus_(gpus) {}

  tl::expected<Inventory, input::Diagnostics> read() {
    const xml_node root = xml_.load(kLimits);
    if (root && is_ours(root)) {
      check_element(root);
      for (const xml_node cpu : root.children("cpu")) read_cpu(cpu);
      if (!too_many_) report_same_gpus(host_, notes_);
    }
    return notes_.finish(std::move(host_));
  }

 private:
  bool is_ours(xml_node root) {
    if (std::string_view(root.name()) != "system") {
      notes_.error(import_codes::kNotNccl, xml_.at(root),
                   fmt::format("the root element is <{}>", root.name()), "<system>");
      return false;
    }
    const auto amd = root.find_node([](xml_node node) {
      const std::string_view device_class = node.attribute("class").value();
      return std::string_view(node.name()) == "xgmi" || node.attribute("gcn") ||
             (std::string_view(node.attribute("vendor").value()) == "0x1002" &&
              (device_class.starts_with("0x03") || device_class.starts_with("0x12")));
    });
    const auto version = xml_.integer(root, "version", 0, kAnyInteger);
    host_.nccl_version = notes_.stated(version.value_or(1));
    if (gpus_ == NcclGpus::kAny && (version == 1 || version == 2)) return true;
    if (amd || version == 2) {
      notes_.error(import_codes::kAmdGpus, xml_.at(amd ? amd : root),
                   "AMD GPUs are not supported, NVIDIA GPUs only");
    } else if (!notes_.failed() && version != 1) {
      notes_.error(import_codes::kNotNccl, xml_.at(root), "<system> is not of version 1",
                   "version=\"1\", which all versions of NCCL write");
    }
    return !notes_.failed();
  }

  /// Reports attributes and children that are not allowed there.
  void check_element(xml_node node) {
    const std::string name = node.name();
    const ElementRule& rule = *rule_of(name);
    for (const auto attribute : node.attributes()) {
      if (rule.attributes == "*" || is_word_of(attribute.name(), rule.attributes)) continue;
      notes_.warn(import_codes::kUnknownAttribute, xml_.at(node, attribute),
                  fmt::format("the attribute {} of <{}> is not read", attribute.name(), name));
    }
    for (const xml_node child : node.children()) check_child(name, child);
  }

  void check_child(const std::string& parent, xml_node child) {
    if (child.type() != pugi::node_element) {
      notes_.warn(import_codes::kStrayText, notes_.at(xml_.offset(child)),
                  "text inside elements is not read", fmt::format("<{}>", parent));
      return;
    }
    const std::string_view name = child.name();
    const ElementRule* rule = rule_of(name);
    if (rule == nullptr) {
      notes_.warn(import_codes::kUnknownElement, xml_.at(child),
                  fmt::format("the element <{}> is not read", name));
    } else if (!is_word_of(parent, rule->parents)) {
      notes_.error(import_codes::kMisplaced, xml_.at(child),
                   fmt::format("<{}> inside <{}>", name, parent),
                   rule->parents.empty() ? "it only at the top"
                                         : fmt::format("it inside one of: {}", rule->parents));
    }
  }

  void count_device(xml_node node) {
    if (++devices_ != kMaxDevices + 1) return;
    too_many_ = true;
    notes_.error(import_codes::kTooLarge, xml_.at(node),
                 fmt::format("more than {} devices", kMaxDevices));
  }

  void read_cpu(xml_node node) {
    if (too_many_) return;
    if (host_.numa_nodes.size() == kMaxNumaNodes) {
      too_many_ = true;
      return notes_.error(import_codes::kTooLarge, xml_.at(node),
                          fmt::format("more than {} NUMA nodes", kMaxNumaNodes));
    }
    check_element(node);
    NumaNode numa;
    const auto id = xml_.integer(node, "numaid", -1, 1023);
    if (id >= 0) numa.id = notes_.stated(*id);
    numa.host_hash = text(node, "host_hash");
    numa.affinity = known(node.attribute("affinity").value());
    numa.arch = text(node, "arch");
    numa.vendor = text(node, "vendor");
    numa.family = integer(node, "familyid", -1, 65535);
    numa.model = integer(node, "modelid", -1, 65535);
    numa.place = place(node);
    for (const xml_node pci : node.children("pci")) numa.devices.push_back(read_pci(pci));
    for (const xml_node nic : node.children("nic")) {
      Device& card = numa.without_pcie.emplace_back();
      card.kind = DeviceKind::kNic;
      card.place = place(nic);
      read_nets(nic, card.ports);
    }
    host_.numa_nodes.push_back(std::move(numa));
  }

  Maybe<std::string> known(std::string value) const {
    return value.empty() ? Maybe<std::string>() : notes_.stated(std::move(value));
  }
  Maybe<std::string> text(xml_node node, const char* name) { return known(xml_.text(node, name)); }
  Maybe<std::string> hex(xml_node node, const char* name, std::size_t most) {
    return known(xml_.hex(node, name, most));
  }
  Maybe<std::int64_t> integer(xml_node node, const char* name, std::int64_t min, std::int64_t max) {
    const auto value = xml_.integer(node, name, min, max);
    return value ? Maybe<std::int64_t>(notes_.stated(*value)) : std::nullopt;
  }
  bool flag(xml_node node, const char* name) {
    return xml_.integer(node, name, -1, 255).value_or(0) > 0;
  }
  Location place(xml_node node) const { return notes_.at(xml_.offset(node), 3); }

  Device read_pci(xml_node node) {
    Device device;
    count_device(node);
    if (too_many_) return device;
    check_element(node);
    device.bus_id = bus_id(node, "busid");
    device.pci_class = hex(node, "class", 8);
    device.vendor = hex(node, "vendor", 4);
    device.device = hex(node, "device", 4);
    device.subsystem_vendor = hex(node, "subsystem_vendor", 4);
    device.subsystem_device = hex(node, "subsystem_device", 4);
    read_link(node, device);
    device.place = place(node);
    for (const xml_node gpu : node.children("gpu")) {
      if (device.gpu) {
        notes_.error(import_codes::kSameGpu, xml_.at(gpu),
                     "a second <gpu> in one <pci>: split GPUs are not supported");
      }
      device.gpu = read_gpu(gpu);
    }
    for (const xml_node nic : node.children("nic")) read_nets(nic, device.ports);
    for (const xml_node child : node.children("pci")) device.below.push_back(read_pci(child));
    device.kind = kind_of(device);
    return device;
  }

  void read_link(xml_node node, Device& device) {
    device.nccl_speed = text(node, "link_speed");
    if (*node.attribute("link_width").value() != '\0') {
      device.nccl_width = integer(node, "link_width", 0, 32);
      if (device.nccl_width && device.nccl_width->value == 0) device.nccl_width.reset();
    }
    if (!device.nccl_speed || !device.nccl_width) return;
    if (const auto generation = pcie_generation_of(device.nccl_speed->value)) {
      device.link = notes_.stated(PcieWidth{*generation, device.nccl_width->value});
    }
  }

  static DeviceKind kind_of(const Device& device) {
    const std::string code = device.pci_class ? device.pci_class->value : std::string();
    if (device.gpu || is_gpu_class(code) || code.starts_with("12") || code.starts_with("0380")) {
      return DeviceKind::kGpu;
    }
    if (!device.ports.empty() || is_nic_class(code)) return DeviceKind::kNic;
    if (is_nvswitch_class(code)) return DeviceKind::kNvSwitch;
    if (is_bridge_class(code) || !device.below.empty()) return DeviceKind::kBridge;
    return code.starts_with("0108") ? DeviceKind::kStorage : DeviceKind::kOther;
  }

  Gpu read_gpu(xml_node node) {
    check_element(node);
    Gpu gpu;
    gpu.index = integer(node, "dev", 0, 65535);
    gpu.sm = integer(node, "sm", 0, 999);
    if (gpu.sm && gpu.sm->value == 0) gpu.sm.reset();
    gpu.rank = integer(node, "rank", -1, kAnyInteger);
    const bool gdr = flag(node, "gdr");
    if (gdr || gpu.rank) gpu.gdr = notes_.stated(gdr);
    gpu.gcn = text(node, "gcn");
    gpu.nccl_attributes = passed_on(node, {"mlopart", "arch"});
    for (const char* kind : {"nvlink", "xgmi"}) {
      for (const xml_node link : node.children(kind)) {
        check_element(link);
        NvLinks links;
        links.target = notes_.stated(bus_id(link, "target"));
        links.target_class = hex(link, "tclass", 8);
        links.count = notes_.stated(required_integer(link, "count", 0, 64));
        links.place = place(link);
        gpu.nvlinks.push_back(std::move(links));
        gpu.xgmi = gpu.xgmi || std::string_view(kind) == "xgmi";
      }
    }
    // A dump of a run lists all existing NVLinks.
    if (gpu.sm && gpu.nvlinks.empty()) gpu.nvlinks_up = notes_.stated<std::int64_t>(0);
    for (const xml_node c2c : node.children("c2c")) {
      check_element(c2c);
      const auto count = xml_.integer(c2c, "count", 0, 64);
      const auto megabytes = xml_.integer(c2c, "bw", 0, 10'000'000);
      gpu.c2c.push_back(
          {notes_.stated(megabytes.value_or(0) * 1_MBps), notes_.stated(count.value_or(0))});
    }
    return gpu;
  }

  Attributes passed_on(xml_node node, std::initializer_list<const char*> names) {
    Attributes found;
    for (const char* name : names) {
      if (node.attribute(name)) found.emplace_back(name, xml_.text(node, name));
    }
    return found;
  }

  void read_nets(xml_node nic, std::vector<Port>& ports) {
    check_element(nic);
    for (const xml_node node : nic.children("net")) {
      count_device(node);
      if (too_many_) return;
      check_element(node);
      Port port;
      port.name = text(node, "name");
      port.dev = integer(node, "dev", 0, 65535);
      read_rate(node, port);
      port.port = notes_.stated(xml_.integer(node, "port", -1, 65535).value_or(0));
      port.guid = guid(node);
      port.maxconn = integer(node, "maxconn", 0, 4'294'967'295);
      const double latency_us = xml_.number(node, "latency", 0.0, 1e6).value_or(0.0);
      port.latency = notes_.stated(SimTime{std::llround(latency_us * 1e6)});
      const bool gdr = flag(node, "gdr");
      if (gdr || port.dev) port.gdr = notes_.stated(gdr);
      if (flag(node, "coll")) port.coll = notes_.stated(true);
      if (flag(node, "keep")) port.keep = notes_.stated(true);
      port.nccl_attributes = passed_on(node, {"net", "gin", "rma", "rail", "plane"});
      ports.push_back(std::move(port));
    }
  }

  void read_rate(xml_node node, Port& port) {
    const std::int64_t speed = xml_.integer(node, "speed", 0, kAnyInteger).value_or(0);
    if (speed == 0) return;
    port.rate = notes_.stated(speed * kMegabitPerSecond);
    if (port.rate->value <= kFastestPort) return;
    notes_.warn(
        import_codes::kOddSpeed, xml_.at(node, node.attribute("speed")),
        "speeds beyond 10 Tbit/s are not used; plug-ins for Slingshot write kbit/s for Mbit/s",
        std::to_string(speed));
  }

  std::int64_t required_integer(xml_node node, const char* name, std::int64_t min,
                                std::int64_t max) {
    if (!node.attribute(name)) {
      notes_.error(import_codes::kBadAttribute, xml_.at(node),
                   fmt::format("<{}> has no {}", node.name(), name));
    }
    return xml_.integer(node, name, min, max).value_or(min);
  }

  /// Decimal digits are a decimal number in NCCL; with letters or 0x it is hex. Nothing for 0.
  Maybe<std::string> guid(xml_node node) {
    const std::string_view written = node.attribute("guid").value();
    std::uint64_t value = 0;
    const char* const end = written.data() + written.size();
    const auto [read, failed] = std::from_chars(written.data(), end, value);
    if (read != end || failed != std::errc()) {
      const std::string digits = xml_.hex(node, "guid", 16);
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    }
    return value == 0 ? Maybe<std::string>() : notes_.stated(fmt::format("0x{:x}", value));
  }

  std::string bus_id(xml_node node, const char* name) {
    const auto attribute = node.attribute(name);
    if (!attribute) {
      notes_.error(import_codes::kBadAttribute, xml_.at(node),
                   fmt::format("<{}> has no {}", node.name(), name));
      return {};
    }
    std::string id = normalized_bus_id(attribute.value());
    if (id.empty()) {
      notes_.error(import_codes::kBadAttribute, xml_.at(node, attribute),
                   fmt::format("{} of <{}> is \"{}\"", name, node.name(), attribute.value()),
                   "a bus id such as \"0000:3b:00.0\"");
    }
    return id;
  }

  FileNotes notes_;
  XmlReader xml_;
  NcclGpus gpus_;
  Inventory host_;
  std::size_t devices_ = 0;
  bool too_many_ = false;
};

}  // namespace

tl::expected<Inventory, input::Diagnostics> read_nccl_xml(const input::SourcePtr& source,
                                                          NcclGpus gpus) {
  return NcclReader(source, gpus).read();
}

std::vector<Inventory> hosts_of(const Inventory& system) {
  std::vector<std::string> hashes;
  std::vector<Inventory> hosts;
  for (const NumaNode& node : system.numa_nodes) {
    const std::string hash = node.host_hash ? node.host_hash->value : std::string();
    auto host = std::ranges::find(hashes, hash);
    if (host == hashes.end()) {
      host = hashes.insert(host, hash);
      hosts.emplace_back().nccl_version = system.nccl_version;
    }
    hosts[static_cast<std::size_t>(host - hashes.begin())].numa_nodes.push_back(node);
  }
  if (!hosts.empty()) hosts.front().warnings = system.warnings;
  return hosts;
}

}  // namespace vgsim::topology
