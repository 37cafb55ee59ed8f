#include "topology/importers/nccl/nccl_xml.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "topology/importers/nccl/nccl_error_codes.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/inventory/bus_id.hpp"

namespace vgsim::topology {
namespace {

using input::Location;
using pugi::xml_node;

constexpr XmlLimits kLimits{16u << 20, 32};
constexpr std::size_t kMaxDevices = 4096;
constexpr std::size_t kMaxNumaNodes = 64;
constexpr std::int64_t kAnyInteger = 1'000'000'000;

/// An element that NCCL knows: where it may stand, and its attributes, read or passed over.
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

/// Turns the checked tree of elements into the structures. The depth is bounded by kLimits.
///
/// One table says where each element may stand and which attributes it has, read or not. What NCCL
/// does not know is passed over with one warning for each kind, as later releases add to the
/// grammar; a known element in a wrong place is an error, because NCCL would read another machine
/// out of it.
class NcclReader {
 public:
  NcclReader(const input::SourcePtr& source, NcclGpus gpus) : xml_(source), gpus_(gpus) {
    system_.source = source;
  }

  tl::expected<NcclSystem, input::Diagnostics> read() {
    const xml_node root = xml_.load(kLimits);
    if (root && is_ours(root)) {
      check_element(root);
      for (const xml_node cpu : root.children("cpu")) read_cpu(cpu);
      if (!too_many_) report_same_gpus(system_, xml_.diagnostics);
    }
    if (xml_.diagnostics.has_errors()) return tl::unexpected(xml_.diagnostics);
    system_.warnings = xml_.diagnostics;
    return std::move(system_);
  }

 private:
  bool is_ours(xml_node root) {
    if (std::string_view(root.name()) != "system") {
      xml_.error(nccl_codes::kNotNccl, xml_.at(root),
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
    system_.version = version.value_or(1);
    if (gpus_ == NcclGpus::kAny && (version == 1 || version == 2)) return true;
    if (amd || version == 2) {
      xml_.error(nccl_codes::kAmdGpus, xml_.at(amd ? amd : root),
                 "AMD GPUs: the catalogue knows NVIDIA GPUs only");
    } else if (!xml_.diagnostics.has_errors() && version != 1) {
      xml_.error(nccl_codes::kNotNccl, xml_.at(root), "<system> is not of version 1",
                 "version=\"1\", which all versions of NCCL write");
    }
    return !xml_.diagnostics.has_errors();
  }

  /// Attributes and children that do not belong there.
  void check_element(xml_node node) {
    const std::string name = node.name();
    const ElementRule& rule = *rule_of(name);
    for (const auto attribute : node.attributes()) {
      if (rule.attributes == "*" || is_word_of(attribute.name(), rule.attributes)) continue;
      xml_.warn_once(nccl_codes::kUnknownAttribute, name + " " + attribute.name(),
                     xml_.at(node, attribute),
                     fmt::format("the attribute {} of <{}> is not read", attribute.name(), name));
    }
    for (const xml_node child : node.children()) check_child(name, child);
  }

  void check_child(const std::string& parent, xml_node child) {
    if (child.type() != pugi::node_element) {
      xml_.warn_once(nccl_codes::kStrayText, "", {system_.source, xml_.offset(child), 1},
                     fmt::format("text inside <{}> is not read", parent));
      return;
    }
    const std::string_view name = child.name();
    const ElementRule* rule = rule_of(name);
    if (rule == nullptr) {
      xml_.warn_once(nccl_codes::kUnknownElement, std::string(name), xml_.at(child),
                     fmt::format("the element <{}> is not read", name));
    } else if (!is_word_of(parent, rule->parents)) {
      xml_.error(nccl_codes::kMisplaced, xml_.at(child),
                 fmt::format("<{}> inside <{}>", name, parent),
                 rule->parents.empty() ? "it only at the top"
                                       : fmt::format("it inside one of: {}", rule->parents));
    }
  }

  void count_device(xml_node node) {
    if (++devices_ != kMaxDevices + 1) return;
    too_many_ = true;
    xml_.error(nccl_codes::kTooLarge, xml_.at(node),
               fmt::format("more than {} devices", kMaxDevices));
  }

  void read_cpu(xml_node node) {
    if (too_many_) return;
    if (system_.cpus.size() == kMaxNumaNodes) {
      too_many_ = true;
      return xml_.error(nccl_codes::kTooLarge, xml_.at(node),
                        fmt::format("more than {} NUMA nodes", kMaxNumaNodes));
    }
    check_element(node);
    NcclCpu cpu;
    cpu.numaid = xml_.integer(node, "numaid", -1, 1023).value_or(-1);
    cpu.host_hash = xml_.text(node, "host_hash");
    cpu.affinity = node.attribute("affinity").value();
    cpu.arch = xml_.text(node, "arch");
    cpu.vendor = xml_.text(node, "vendor");
    cpu.familyid = xml_.integer(node, "familyid", -1, 65535);
    cpu.modelid = xml_.integer(node, "modelid", -1, 65535);
    cpu.offset = xml_.offset(node);
    for (const xml_node pci : node.children("pci")) cpu.pcis.push_back(read_pci(pci));
    for (const xml_node nic : node.children("nic")) {
      cpu.nics.push_back({{}, xml_.offset(nic)});
      read_nets(nic, cpu.nics.back().nets);
    }
    system_.cpus.push_back(std::move(cpu));
  }

  NcclPci read_pci(xml_node node) {
    NcclPci pci;
    count_device(node);
    if (too_many_) return pci;
    check_element(node);
    pci.busid = bus_id(node, "busid");
    pci.device_class = xml_.hex(node, "class", 8);
    pci.vendor = xml_.hex(node, "vendor", 4);
    pci.device = xml_.hex(node, "device", 4);
    pci.subsystem_vendor = xml_.hex(node, "subsystem_vendor", 4);
    pci.subsystem_device = xml_.hex(node, "subsystem_device", 4);
    pci.link_speed = xml_.text(node, "link_speed");
    if (*node.attribute("link_width").value() != '\0') {
      pci.link_width = xml_.integer(node, "link_width", 0, 32).value_or(0);
    }
    pci.offset = xml_.offset(node);
    for (const xml_node gpu : node.children("gpu")) {
      if (pci.gpu) {
        xml_.error(nccl_codes::kSameGpu, xml_.at(gpu),
                   "a second <gpu> in one <pci>: split GPUs are not supported");
      }
      pci.gpu = read_gpu(gpu);
    }
    for (const xml_node nic : node.children("nic")) read_nets(nic, pci.nets);
    for (const xml_node child : node.children("pci")) pci.children.push_back(read_pci(child));
    return pci;
  }

  NcclGpu read_gpu(xml_node node) {
    check_element(node);
    NcclGpu gpu;
    gpu.dev = xml_.integer(node, "dev", 0, 65535);
    gpu.sm = xml_.integer(node, "sm", 0, 999).value_or(0);
    gpu.rank = xml_.integer(node, "rank", -1, kAnyInteger);
    gpu.gdr = xml_.integer(node, "gdr", -1, 255).value_or(0) > 0;
    gpu.gcn = xml_.text(node, "gcn");
    gpu.more = passed_on(node, {"mlopart", "arch"});
    gpu.offset = xml_.offset(node);
    for (const char* kind : {"nvlink", "xgmi"}) {
      for (const xml_node link : node.children(kind)) {
        check_element(link);
        gpu.nvlinks.push_back({bus_id(link, "target"), xml_.hex(link, "tclass", 8),
                               required_integer(link, "count", 0, 64), xml_.offset(link)});
        gpu.xgmi = gpu.xgmi || std::string_view(kind) == "xgmi";
      }
    }
    if (gpu.sm > 0 && gpu.nvlinks.empty()) gpu.nvlinks_up = 0;
    for (const xml_node c2c : node.children("c2c")) {
      check_element(c2c);
      const auto count = xml_.integer(c2c, "count", 0, 64);
      const auto megabytes = xml_.integer(c2c, "bw", 0, 10'000'000);
      gpu.c2c.push_back({megabytes.value_or(0), count.value_or(0)});
    }
    return gpu;
  }

  NcclAttributes passed_on(xml_node node, std::initializer_list<const char*> names) {
    NcclAttributes found;
    for (const char* name : names) {
      if (node.attribute(name)) found.emplace_back(name, xml_.text(node, name));
    }
    return found;
  }

  void read_nets(xml_node nic, std::vector<NcclNet>& nets) {
    check_element(nic);
    for (const xml_node node : nic.children("net")) {
      count_device(node);
      if (too_many_) return;
      check_element(node);
      NcclNet net;
      net.name = xml_.text(node, "name");
      net.dev = xml_.integer(node, "dev", 0, 65535);
      net.speed = xml_.integer(node, "speed", 0, kAnyInteger).value_or(0);
      if (net.speed > kMaxMegabits) {
        xml_.warn_once(nccl_codes::kOddSpeed, "", xml_.at(node, node.attribute("speed")),
                       fmt::format("speed {} is in Mbit/s; plug-ins for Slingshot write kbit/s. It "
                                   "is not used",
                                   net.speed));
      }
      net.port = xml_.integer(node, "port", -1, 65535).value_or(0);
      net.guid = guid(node);
      net.maxconn = xml_.integer(node, "maxconn", 0, 4'294'967'295);
      net.latency = xml_.number(node, "latency", 0.0, 1e6).value_or(0.0);
      net.gdr = xml_.integer(node, "gdr", -1, 255).value_or(0) > 0;
      net.coll = xml_.integer(node, "coll", -1, 255).value_or(0) > 0;
      net.keep = xml_.integer(node, "keep", -1, 255).value_or(0) > 0;
      net.more = passed_on(node, {"net", "gin", "rma", "rail", "plane"});
      net.offset = xml_.offset(node);
      nets.push_back(std::move(net));
    }
  }

  std::int64_t required_integer(xml_node node, const char* name, std::int64_t min,
                                std::int64_t max) {
    if (!node.attribute(name)) {
      xml_.error(nccl_codes::kBadAttribute, xml_.at(node),
                 fmt::format("<{}> has no {}", node.name(), name));
    }
    return xml_.integer(node, name, min, max).value_or(min);
  }

  /// NCCL reads decimal digits as such; with letters or 0x they are hex.
  std::uint64_t guid(xml_node node) {
    const std::string_view written = node.attribute("guid").value();
    std::uint64_t value = 0;
    const char* const end = written.data() + written.size();
    const auto [read, failed] = std::from_chars(written.data(), end, value);
    if (read == end && failed == std::errc()) return value;
    const std::string digits = xml_.hex(node, "guid", 16);
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
  }

  std::string bus_id(xml_node node, const char* name) {
    const auto attribute = node.attribute(name);
    if (!attribute) {
      xml_.error(nccl_codes::kBadAttribute, xml_.at(node),
                 fmt::format("<{}> has no {}", node.name(), name));
      return {};
    }
    std::string id = normalized_bus_id(attribute.value());
    if (id.empty()) {
      xml_.error(nccl_codes::kBadAttribute, xml_.at(node, attribute),
                 fmt::format("{} of <{}> is \"{}\"", name, node.name(), attribute.value()),
                 "a bus id such as \"0000:3b:00.0\"");
    }
    return id;
  }

  XmlReader xml_;
  NcclGpus gpus_;
  NcclSystem system_;
  std::size_t devices_ = 0;
  bool too_many_ = false;
};

}  // namespace

double NcclGpu::c2c_bandwidth() const {
  std::int64_t megabytes = 0;
  for (const NcclC2c& links : c2c) megabytes += links.count * links.megabytes_per_second;
  return static_cast<double>(megabytes) / 1000.0;
}

tl::expected<NcclSystem, input::Diagnostics> parse_nccl_xml(const input::SourcePtr& source,
                                                            NcclGpus gpus) {
  return NcclReader(source, gpus).read();
}

}  // namespace vgsim::topology
