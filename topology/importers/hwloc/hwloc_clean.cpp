#include "topology/importers/hwloc/hwloc_clean.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "topology/importers/hwloc/hwloc_values.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostCleanedObjects = 16384;
constexpr std::size_t kMostChildren = 4096;
constexpr std::size_t kMostPciFunctions = 4096;
constexpr std::size_t kMostNumaNodes = 1024;
constexpr std::size_t kMostInfos = 256;
constexpr std::uint32_t kHighestIndex = 16383;
constexpr std::uint32_t kLastDeviceType = 5;  // co-processor
constexpr double kFastestHwlocLink = 1024.0;  // GB/s

enum class ObjectRole : std::uint8_t {
  kNormal,
  kGroup,
  kNumaNode,
  kPci,
  kBridge,
  kOsDevice,
  kMoveUp
};

using Type = std::pair<std::string_view, ObjectRole>;
/// Names of versions 1 and 2. Of caches, Misc and unknown objects the children move up.
constexpr std::array kObjectTypes = {
    Type{"Machine", ObjectRole::kNormal},    Type{"System", ObjectRole::kNormal},
    Type{"Package", ObjectRole::kNormal},    Type{"Socket", ObjectRole::kNormal},
    Type{"Die", ObjectRole::kNormal},        Type{"Core", ObjectRole::kNormal},
    Type{"PU", ObjectRole::kNormal},         Type{"Group", ObjectRole::kGroup},
    Type{"NUMANode", ObjectRole::kNumaNode}, Type{"Bridge", ObjectRole::kBridge},
    Type{"PCIDev", ObjectRole::kPci},        Type{"OSDev", ObjectRole::kOsDevice}};

ObjectRole role_of(std::string_view type) {
  for (const auto& [name, role] : kObjectTypes) {
    if (name == type) return role;
  }
  return ObjectRole::kMoveUp;
}

/// An object that is written, and how many are in it: libhwloc walks along them for each.
struct Copy {
  pugi::xml_node node;
  std::size_t children = 0;
};

/// Traverses the objects of the file once and copies those allowed for libhwloc to a new document.
/// Caches, Misc and unknown objects are removed and their children move up; so is a group without
/// sets. Numbers and sets are parsed and rewritten, because libhwloc crashes on some invalid ones.
/// Each kind has a limit, because libhwloc scans all siblings for each child.
class Cleaner {
 public:
  Cleaner(const XmlReader& reader, FileNotes& notes, bool version_1)
      : reader_(reader), notes_(notes), version_1_(version_1) {}

  void add_object(pugi::xml_node from, Copy& to);
  [[nodiscard]] bool has_numa_nodes() const { return numa_nodes_ > 0; }

 private:
  bool error(pugi::xml_node from, const char* attribute, std::string_view expected);
  bool count(pugi::xml_node from, std::size_t& counter, std::size_t most, const char* what);
  bool copy_set(pugi::xml_node from, pugi::xml_node to, const char* name, const char* complete);
  bool copy_sets(pugi::xml_node from, pugi::xml_node to, ObjectRole role);
  bool copy_index(pugi::xml_node from, pugi::xml_node to, ObjectRole role);
  bool copy_pci(pugi::xml_node from, pugi::xml_node to);
  bool copy_bridge(pugi::xml_node from, pugi::xml_node to);
  void copy_rest(pugi::xml_node from, pugi::xml_node to);
  bool fill(pugi::xml_node from, pugi::xml_node to, ObjectRole role);
  void add_children(pugi::xml_node from, Copy& to);

  const XmlReader& reader_;
  FileNotes& notes_;
  bool version_1_;
  std::size_t objects_ = 0;
  std::size_t pci_functions_ = 0;
  std::size_t numa_nodes_ = 0;
};

bool Cleaner::error(pugi::xml_node from, const char* attribute, std::string_view expected) {
  const pugi::xml_attribute at = from.attribute(attribute);
  notes_.error(import_codes::kBadValue, at ? reader_.at(from, at) : reader_.at(from),
               at ? fmt::format("{} of an object is \"{}\"", attribute, printable(at.value()))
                  : fmt::format("an object of type {} has no {}",
                                printable(from.attribute("type").value()), attribute),
               std::string(expected));
  return false;
}

bool Cleaner::count(pugi::xml_node from, std::size_t& counter, std::size_t most, const char* what) {
  if (++counter == most + 1) {
    notes_.error(import_codes::kTooMuch, reader_.at(from),
                 fmt::format("more than {} {}", most, what), "the topology of one host");
  }
  return counter <= most;
}

/// Copies a set and its complete set; the complete set replaces a missing set.
bool Cleaner::copy_set(pugi::xml_node from, pugi::xml_node to, const char* name,
                       const char* complete) {
  const pugi::xml_attribute own = from.attribute(name);
  const pugi::xml_attribute whole = from.attribute(complete);
  const auto set = hwloc_set_of((own ? own : whole).value());
  const auto complete_set = hwloc_set_of((whole ? whole : own).value());
  if (!set || !complete_set) return false;
  to.append_attribute(name) = set->c_str();
  to.append_attribute(complete) = complete_set->c_str();
  return true;
}

bool Cleaner::copy_sets(pugi::xml_node from, pugi::xml_node to, ObjectRole role) {
  constexpr std::string_view kSet = "a bit mask as \"0x0000ffff,0xffffffff\"";
  if (!copy_set(from, to, "cpuset", "complete_cpuset")) {
    return role != ObjectRole::kGroup && error(from, "cpuset", kSet);
  }
  const bool optional = version_1_ && role != ObjectRole::kNumaNode;
  if (optional && !from.attribute("nodeset") && !from.attribute("complete_nodeset")) return true;
  if (!copy_set(from, to, "nodeset", "complete_nodeset")) {
    return role != ObjectRole::kGroup && error(from, "nodeset", kSet);
  }
  return true;
}

bool Cleaner::copy_index(pugi::xml_node from, pugi::xml_node to, ObjectRole role) {
  const std::string_view text = from.attribute("os_index").value();
  const auto index = number_of<std::uint32_t>(text);
  const bool needed =
      role == ObjectRole::kNumaNode || from.attribute("type").value() == std::string_view("PU");
  if (needed && (!index || *index > kHighestIndex)) {
    return error(from, "os_index", "a number from 0 to 16383");
  }
  if (index) to.append_attribute("os_index") = *index;
  return true;
}

bool Cleaner::copy_pci(pugi::xml_node from, pugi::xml_node to) {
  const std::string id = normalized_bus_id(from.attribute("pci_busid").value());
  if (id.empty()) return error(from, "pci_busid", "a bus id as 0000:3b:00.0");
  if (id.size() > std::string_view("0000:00:00.0").size()) {
    notes_.skip("PCI domains beyond ffff (Intel VMD), which libhwloc cannot represent", id);
    return false;
  }
  if (!count(from, pci_functions_, kMostPciFunctions, "PCI functions")) return false;
  to.append_attribute("pci_busid") = id.c_str();
  const pugi::xml_attribute type = from.attribute("pci_type");
  const pugi::xml_attribute speed = from.attribute("pci_link_speed");
  const std::string make = hwloc_pci_type_of(type.value());
  const auto gigabytes = number_of<double>(speed.value());
  if (!make.empty()) {
    to.append_attribute("pci_type") = make.c_str();
  } else if (type) {
    notes_.warn(import_codes::kOddValue, reader_.at(from, type), "an impossible PCI class or id",
                id);
  }
  if (gigabytes && *gigabytes >= 0.0 && *gigabytes <= kFastestHwlocLink) {
    to.append_attribute("pci_link_speed") = fmt::format("{:.6f}", *gigabytes).c_str();
  } else if (speed) {
    notes_.warn(import_codes::kOddValue, reader_.at(from, speed), "an impossible PCIe link speed",
                id);
  }
  return true;
}

bool Cleaner::copy_bridge(pugi::xml_node from, pugi::xml_node to) {
  const std::string_view type = from.attribute("bridge_type").value();
  if (type != "0-1" && type != "1-1") return error(from, "bridge_type", "0-1 or 1-1");
  const char* buses = from.attribute("bridge_pci").value();
  const std::string_view domain = domain_of_hwloc_buses(buses);
  if (domain.empty()) return error(from, "bridge_pci", "a range of buses as 0000:[3a-3e]");
  if (domain.size() > 4) {
    notes_.skip("PCI domains beyond ffff (Intel VMD), which libhwloc cannot represent",
                std::string(domain));
    return false;
  }
  to.append_attribute("bridge_type") = std::string(type).c_str();
  to.append_attribute("bridge_pci") = buses;
  return type == "0-1" || copy_pci(from, to);
}

/// Attributes that may be missing, or have any text.
void Cleaner::copy_rest(pugi::xml_node from, pugi::xml_node to) {
  for (const char* name : {"name", "subtype"}) {
    const std::string text = printable(from.attribute(name).value());
    if (!text.empty()) to.append_attribute(name) = text.c_str();
  }
  for (const char* name : {"gp_index", "local_memory"}) {
    const auto number = number_of<std::int64_t>(from.attribute(name).value());
    if (number && *number > 0) to.append_attribute(name) = *number;
  }
  const auto device = number_of<std::uint32_t>(from.attribute("osdev_type").value());
  if (device && *device <= kLastDeviceType) to.append_attribute("osdev_type") = *device;
  std::size_t infos = 0;
  for (const pugi::xml_node info : from.children("info")) {
    if (++infos > kMostInfos) break;
    pugi::xml_node copy = to.append_child("info");
    copy.append_attribute("name") = printable(info.attribute("name").value()).c_str();
    copy.append_attribute("value") = printable(info.attribute("value").value()).c_str();
  }
}

/// Copies attributes and infos. False if the object cannot stay.
bool Cleaner::fill(pugi::xml_node from, pugi::xml_node to, ObjectRole role) {
  to.append_attribute("type") = from.attribute("type").value();
  switch (role) {
    case ObjectRole::kNumaNode:
      if (!count(from, numa_nodes_, kMostNumaNodes, "NUMA nodes")) return false;
      [[fallthrough]];
    case ObjectRole::kNormal:
    case ObjectRole::kGroup:
      if (!copy_index(from, to, role) || !copy_sets(from, to, role)) return false;
      break;
    case ObjectRole::kBridge:
      if (!copy_bridge(from, to)) return false;
      break;
    case ObjectRole::kPci:
      if (!copy_pci(from, to)) return false;
      break;
    default:
      break;
  }
  copy_rest(from, to);
  return true;
}

void Cleaner::add_children(pugi::xml_node from, Copy& to) {
  for (const pugi::xml_node child : from.children("object")) add_object(child, to);
}

void Cleaner::add_object(pugi::xml_node from, Copy& to) {
  const ObjectRole role = role_of(from.attribute("type").value());
  if (role == ObjectRole::kMoveUp) return add_children(from, to);
  if (!count(from, objects_, kMostCleanedObjects, "objects")) return;
  if (!count(from, to.children, kMostChildren, "objects in one")) return;
  Copy copy{to.node.append_child("object")};
  if (fill(from, copy.node, role)) return add_children(from, copy);
  to.node.remove_child(copy.node);
  // A file with errors gives no result; the walk continues to report all of them.
  if (role == ObjectRole::kGroup || notes_.failed()) add_children(from, to);
}

bool is_root_type(std::string_view type) { return type == "Machine" || type == "System"; }

/// Whether version 1; empty, with an error, for one that cannot be read.
std::optional<bool> version_1_of(pugi::xml_node topology, const XmlReader& reader,
                                 FileNotes& notes) {
  const pugi::xml_attribute version = topology.attribute("version");
  if (!version) return true;
  const std::string_view text = version.value();
  if (text.starts_with("2.") || text.starts_with("1.")) return text.starts_with("1.");
  const bool later = !text.empty() && text.front() >= '3' && text.front() <= '9';
  notes.error(import_codes::kUnreadVersion, reader.at(topology, version),
              later ? fmt::format("the format of hwloc {}", printable(text))
                    : fmt::format("version is \"{}\"", printable(text)),
              "version 2: export it again with lstopo of hwloc 2.x, or with "
              "lstopo --of xml --export-xml-flags v2");
  return std::nullopt;
}

}  // namespace

std::optional<CleanHwloc> clean_hwloc_xml(pugi::xml_node topology, const XmlReader& reader,
                                          FileNotes& notes) {
  const std::optional<bool> version_1 = version_1_of(topology, reader, notes);
  if (!version_1) return std::nullopt;
  const pugi::xml_node machine = topology.child("object");
  if (!is_root_type(machine.attribute("type").value())) {
    notes.error(import_codes::kBadValue, machine ? reader.at(machine) : reader.at(topology),
                "the topology does not begin with a machine", "<object type=\"Machine\" ...>");
    return std::nullopt;
  }
  pugi::xml_document document;
  Copy root{document.append_child("topology")};
  if (!*version_1) root.node.append_attribute("version") = "2.0";
  Cleaner cleaner(reader, notes, *version_1);
  cleaner.add_object(machine, root);
  for (const pugi::xml_node child : topology.children()) copy_hwloc_matrix(child, root.node, notes);
  if (notes.failed()) return std::nullopt;

  struct Writer : pugi::xml_writer {
    std::string text;
    void write(const void* data, std::size_t size) override {
      text.append(static_cast<const char*>(data), size);
    }
  } writer;
  document.save(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return CleanHwloc{std::move(writer.text), *version_1, cleaner.has_numa_nodes()};
}

}  // namespace vgsim::topology
