#include "models/vsphere/import/ovf/ovf_vm.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vm_options.hpp"
#include "models/vsphere/import/vmx/vmx_devices.hpp"
#include "models/vsphere/import/xml_names.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::string_view kPassthrough = "vmware.pci.passthrough";
constexpr std::int64_t kMostGroups = 1'000'000;

/// Resource types of CIM_ResourceAllocationSettingData.
constexpr std::string_view kProcessor = "3";
constexpr std::string_view kMemory = "4";
constexpr std::string_view kEthernet = "10";

/// Bytes that an amount of memory counts in: "byte * 2^20", "MegaBytes".
std::int64_t memory_unit(std::string_view units) {
  const std::string word = lower_case(units);
  if (word.find("2^30") != word.npos || word.starts_with("giga")) return std::int64_t{1} << 30;
  if (word.find("2^10") != word.npos || word.starts_with("kilo")) return 1024;
  if (word == "byte" || word == "bytes") return 1;
  return kMebibyte;
}

Place attribute_place(const topology::XmlReader& xml, pugi::xml_node node,
                      pugi::xml_attribute attribute) {
  const input::Location at = attribute ? xml.at(node, attribute) : xml.at(node);
  return {at.offset, at.length};
}

/// Hardware is a list of CIM items with numbers for their resource types. VMware's passthrough
/// devices have the type "other" and a subtype. vmw:Config and vmw:ExtraConfig hold settings
/// without a CIM field; the keys of ExtraConfig are those of a .vmx file and are read as such at
/// the end.
class OvfVmReader {
 public:
  OvfVmReader(const topology::XmlReader& xml, FileNotes& notes) : xml_(xml), notes_(notes) {}

  VmFacts read(pugi::xml_node system) {
    read_name(system);
    const pugi::xml_node hardware = child_named(system, "VirtualHardwareSection");
    if (!hardware) {
      notes_.skip("VMs have no section of hardware", vm_.name ? vm_.name->value : "");
    }
    for (const pugi::xml_node node : hardware.children()) {
      const std::string_view name = local_name(node.name());
      if (name == "System") read_version(node);
      if (name == "Item") read_item(node);
      if (name == "Config") read_config(node);
      if (name == "ExtraConfig") options_.push_back(option_of(node));
    }
    read_reservation();
    read_vm_options(options_, notes_, vm_);
    return std::move(vm_);
  }

 private:
  [[nodiscard]] Place place(pugi::xml_node node) const {
    const pugi::xml_node text = node.first_child();
    return {xml_.offset(text ? text : node), std::string_view(node.child_value()).size()};
  }

  [[nodiscard]] Place value_place(pugi::xml_node node) const {
    return attribute_place(xml_, node, attribute_named(node, "value"));
  }

  [[nodiscard]] VmOption option_of(pugi::xml_node node) const {
    return {attribute_named(node, "key").value(), attribute_named(node, "value").value(),
            value_place(node)};
  }

  void read_name(pugi::xml_node system) {
    std::string name = printable(text_of(system, "Name"));
    if (name.empty()) name = printable(attribute_named(system, "id").value());
    if (!name.empty()) vm_.name = notes_.stated(std::move(name));
    const pugi::xml_node guest = child_named(system, "OperatingSystemSection");
    std::string os = printable(text_of(guest, "Description"));
    if (os.empty()) os = printable(attribute_named(guest, "osType").value());
    if (!os.empty()) vm_.guest_os = notes_.stated(std::move(os));
  }

  void read_version(pugi::xml_node system) {
    const pugi::xml_node node = child_named(system, "VirtualSystemType");
    std::string_view type = trimmed(node.child_value());
    // Several versions may be listed, the one that it was made for first.
    type = type.substr(0, type.find_first_of(" ,"));
    if (!type.starts_with("vmx-")) return;
    const auto version = notes_.number(type.substr(4), place(node), "hardware version", 1, 999);
    if (version) vm_.hardware_version = notes_.stated(*version);
  }

  std::optional<std::int64_t> number(pugi::xml_node item, std::string_view name, std::int64_t max) {
    const pugi::xml_node node = child_named(item, name);
    if (!node || trimmed(node.child_value()).empty()) return std::nullopt;
    return notes_.number(node.child_value(), place(node), std::string(name), 0, max);
  }

  void read_item(pugi::xml_node item) {
    const std::string_view type = trimmed(text_of(item, "ResourceType"));
    const std::string subtype = lower_case(trimmed(text_of(item, "ResourceSubType")));
    if (type == kProcessor) {
      const auto count = number(item, "VirtualQuantity", kMostCpus);
      if (count && *count > 0) vm_.vcpus = notes_.stated(*count);
      const auto cores = number(item, "CoresPerSocket", kMostCpus);
      if (cores && *cores > 0) vm_.cores_per_socket = notes_.stated(*cores);
    } else if (type == kMemory) {
      read_memory(item);
    } else if (subtype.starts_with(kPassthrough)) {
      read_pci(item, std::string_view(subtype).substr(kPassthrough.size()));
    } else if (subtype == "sriovethernetcard") {
      read_sriov(item);
    } else if (type == kEthernet) {
      read_adapter(item, subtype);
    }
  }

  void read_memory(pugi::xml_node item) {
    const std::int64_t unit = memory_unit(text_of(item, "AllocationUnits"));
    const std::int64_t most = kMostMebibytes * kMebibyte / unit;
    if (const auto size = number(item, "VirtualQuantity", most)) {
      vm_.memory = notes_.stated(Bytes{*size * unit});
    }
    if (const auto reserved = number(item, "Reservation", most)) {
      reserved_ = *reserved * unit / kMebibyte;
    }
  }

  void read_reservation() {
    if (!vm_.memory_reserved && reserved_) read_memory_reservation(*reserved_, notes_, vm_);
  }

  void read_config(pugi::xml_node config) {
    const VmOption option = option_of(config);
    if (same_word(option.key, "firmware")) options_.push_back(option);
    if (same_word(option.key, "memoryReservationLockedToMax") &&
        truth(option.value).value_or(false)) {
      vm_.memory_reserved = notes_.stated(true);
    }
  }

  Maybe<std::string> text(pugi::xml_node item, std::string_view name) {
    std::string value = printable(text_of(item, name));
    if (value.empty()) return std::nullopt;
    return notes_.stated(std::move(value));
  }

  void read_adapter(pugi::xml_node item, const std::string& subtype) {
    VmAdapter adapter;
    adapter.label = printable(text_of(item, "ElementName"));
    if (!subtype.empty()) adapter.type = notes_.stated(printable(subtype));
    adapter.network = text(item, "Connection");
    vm_.adapters.push_back(std::move(adapter));
  }

  void read_sriov(pugi::xml_node item) {
    VmPciDevice device;
    device.kind = PciKind::kSriov;
    device.label = printable(text_of(item, "ElementName"));
    device.network = text(item, "Connection");
    read_device_configs(item, device);
    vm_.pci.push_back(std::move(device));
  }

  void read_pci(pugi::xml_node item, std::string_view kind) {
    VmPciDevice device;
    device.label = printable(text_of(item, "ElementName"));
    if (kind == "-ah") device.kind = PciKind::kDynamicPassthrough;
    if (kind == "-vmiop") device.kind = PciKind::kVgpu;
    if (kind == "-dvx") device.kind = PciKind::kDvx;
    if (!kind.empty() && device.kind == PciKind::kPassthrough) {
      notes_.skip("PCI devices of an unknown kind are omitted",
                  printable(text_of(item, "ResourceSubType")));
      return;
    }
    read_device_configs(item, device);
    vm_.pci.push_back(std::move(device));
  }

  void read_device_configs(pugi::xml_node item, VmPciDevice& device) {
    for (const pugi::xml_node node : item.children()) {
      if (local_name(node.name()) != "Config") continue;
      const VmOption option = option_of(node);
      if (!trimmed(option.value).empty()) read_device_config(option, device);
    }
  }

  void read_device_config(const VmOption& option, VmPciDevice& device) {
    constexpr std::string_view kBacking = "backing.";
    // Of an SR-IOV adapter: sriovBacking.physicalFunctionBacking.id.
    const std::string key = lower_case(option.key);
    const std::size_t backing = key.rfind(kBacking);
    if (backing != key.npos) read_backing(key.substr(backing + kBacking.size()), option, device);
    if (key == "dvx.deviceclass") device.device_class = notes_.stated(printable(option.value));
    if (key == "devicegroupinfo.groupinstancekey") {
      const auto group = notes_.number(option.value, option.place, option.key, 0, kMostGroups);
      if (group) device.group = notes_.stated(*group);
    }
  }

  void read_backing(const std::string& part, const VmOption& option, VmPciDevice& device) {
    if (part == "id" || part == "assignedid") {
      device.bus_id = id(hex_bus_id(option.value), option, "a PCI address such as 0000:3b:00.0");
    } else if (part == "deviceid") {
      device.device = id(hex_pci_id(option.value), option, "a PCI id in hex such as 20b5");
    } else if (part == "vendorid") {
      device.vendor = id(vendor_id(option.value), option, "a PCI id such as 4318 or -32634");
    } else if (part == "alloweddevice" || part == "alloweddevices") {
      for (std::string& entry : read_allowed_devices(option, notes_)) {
        device.allowed.push_back(std::move(entry));
      }
    } else if (part == "customlabel") {
      device.custom_label = notes_.stated(printable(option.value));
    } else if (part == "vgpu") {
      device.profile = notes_.stated(printable(option.value));
    } else if (part == "deviceclass") {
      device.device_class = notes_.stated(printable(option.value));
    }
  }

  static std::string vendor_id(std::string_view value) {
    const auto number = any_number(value);
    return number ? pci_id(*number) : std::string();
  }

  Maybe<std::string> id(std::string value, const VmOption& option, const char* expected) {
    if (!value.empty()) return notes_.stated(std::move(value));
    notes_.error(codes::kBadValue, option.place,
                 fmt::format("{} is \"{}\"", printable(option.key), printable(option.value)),
                 expected);
    return std::nullopt;
  }

  const topology::XmlReader& xml_;
  FileNotes& notes_;
  VmFacts vm_;
  std::optional<std::int64_t> reserved_;  ///< MiB
  std::vector<VmOption> options_;
};

}  // namespace

VmFacts read_ovf_vm(pugi::xml_node system, const topology::XmlReader& xml, FileNotes& notes) {
  return OvfVmReader(xml, notes).read(system);
}

std::map<std::int64_t, Stated<std::string>> read_ovf_groups(pugi::xml_node section,
                                                            const topology::XmlReader& xml,
                                                            FileNotes& notes) {
  std::map<std::int64_t, Stated<std::string>> groups;
  for (const pugi::xml_node node : section.children()) {
    if (local_name(node.name()) != "DeviceGroup") continue;
    const pugi::xml_attribute key = attribute_named(node, "groupInstanceKey");
    const auto instance = notes.number(key.value(), attribute_place(xml, node, key),
                                       "groupInstanceKey", 0, kMostGroups);
    const std::string name = printable(attribute_named(node, "deviceGroupName").value());
    if (instance && !name.empty()) groups[*instance] = notes.stated(name);
  }
  return groups;
}

}  // namespace vgsim::vsphere::import
