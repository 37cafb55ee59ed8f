#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_functions.hpp"
#include "models/vsphere/import/vim/vim_vm.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::int64_t kMostDeviceGroups = 1'000'000;

struct AdapterType {
  std::string_view type;
  std::string_view word;
};
constexpr std::array kAdapters = {
    AdapterType{"VirtualVmxnet3Vrdma", "pvrdma"}, AdapterType{"VirtualVmxnet3", "vmxnet3"},
    AdapterType{"VirtualVmxnet2", "vmxnet2"},     AdapterType{"VirtualVmxnet", "vmxnet"},
    AdapterType{"VirtualE1000e", "e1000e"},       AdapterType{"VirtualE1000", "e1000"},
    AdapterType{"VirtualPCNet32", "pcnet32"},
};

std::optional<std::string_view> adapter_word(std::string_view type) {
  for (const AdapterType& known : kAdapters) {
    if (known.type == type) return known.word;
  }
  return std::nullopt;
}

/// A device id as the API has it in backings: hex as a text, or a negative number as a text.
Maybe<std::string> text_id(const VimValue* value, FileNotes& notes) {
  if (value == nullptr) return std::nullopt;
  const bool negative = trimmed(value->text).starts_with('-');
  const auto number = negative ? whole_number(value->text) : std::nullopt;
  std::string id = number ? pci_id(*number) : hex_pci_id(value->text);
  if (id.empty()) {
    notes.error(codes::kBadValue, value->place,
                fmt::format("{} is \"{}\"", printable(value->name), printable(value->text)),
                "a PCI id in hex such as 20b5");
    return std::nullopt;
  }
  // SR-IOV adapters have 0, which means unknown.
  if (id == "0000") return std::nullopt;
  return notes.stated(std::move(id));
}

/// All PCI devices of a VM are VirtualPCIPassthrough, and tools drop or rename the types of their
/// backings: passthrough, Dynamic DirectPath I/O, vGPU and DVX are distinguished by the members of
/// the backing.
class VimDeviceReader {
 public:
  VimDeviceReader(const VimValue& device, FileNotes& notes, VmFacts& vm)
      : device_(device), backing_(find(&device, "backing")), notes_(notes), vm_(vm) {
    type_ = device.type;
    // govc device.info has the type as a member.
    const VimValue* type = find(&device, "type");
    if (type_.empty() && type != nullptr && type->text.starts_with("Virtual")) type_ = type->text;
  }

  void read() {
    const VimValue* sriov = find(&device_, "sriovBacking");
    if (sriov != nullptr || type_ == "VirtualSriovEthernetCard") {
      read_sriov(sriov);
    } else if (adapter_word(type_) || (type_.empty() && has(&device_, "macAddress"))) {
      read_adapter();
    } else if (type_.empty() || type_ == "VirtualPCIPassthrough") {
      read_passthrough();
    }
  }

 private:
  static bool has(const VimValue* value, std::string_view path) {
    return find(value, path) != nullptr;
  }

  std::string label() {
    const auto label = vim_text(find(&device_, "deviceInfo.label"), notes_);
    if (label) return label->value;
    const VimValue* key = find(&device_, "key");
    return key == nullptr ? std::string() : fmt::format("device {}", printable(key->text));
  }

  Maybe<std::string> bus_id(const VimValue* value) {
    std::string id = vim_bus_id(value, notes_);
    if (id.empty()) return std::nullopt;
    return notes_.stated(std::move(id));
  }

  Maybe<std::string> network() {
    if (auto name = vim_text(find(backing_, "deviceName"), notes_)) return name;
    if (auto group = vim_text(find(backing_, "port.portgroupKey"), notes_)) return group;
    return vim_text(find(backing_, "opaqueNetworkId"), notes_);
  }

  void read_adapter() {
    VmAdapter adapter;
    adapter.label = label();
    if (const auto word = adapter_word(type_)) adapter.type = notes_.stated(std::string(*word));
    adapter.network = network();
    vm_.adapters.push_back(std::move(adapter));
  }

  void read_sriov(const VimValue* sriov) {
    VmPciDevice device;
    device.kind = PciKind::kSriov;
    const VimValue* physical = find(sriov, "physicalFunctionBacking");
    device.bus_id = bus_id(find(physical, "id"));
    device.vendor = vim_pci_id(find(physical, "vendorId"), notes_);
    if (device.vendor && device.vendor->value == "0000") device.vendor.reset();
    device.device = text_id(find(physical, "deviceId"), notes_);
    device.device_class = vim_text(find(&device_, "dvxBackingInfo.deviceClass"), notes_);
    device.network = network();
    add(std::move(device));
  }

  void read_passthrough() {
    VmPciDevice device;
    const bool dynamic = has(backing_, "allowedDevice") || has(backing_, "assignedId");
    if (has(backing_, "vgpu")) {
      device.kind = PciKind::kVgpu;
      device.profile = vim_text(find(backing_, "vgpu"), notes_);
    } else if (dynamic) {
      device.kind = PciKind::kDynamicPassthrough;
      device.bus_id = bus_id(find(backing_, "assignedId"));
      device.custom_label = vim_text(find(backing_, "customLabel"), notes_);
      for (const VimValue* allowed : items(backing_, "allowedDevice"))
        read_allowed(*allowed, device);
    } else if (has(backing_, "deviceClass")) {
      device.kind = PciKind::kDvx;
      device.device_class = vim_text(find(backing_, "deviceClass"), notes_);
    } else if (has(backing_, "id") && has(backing_, "systemId")) {
      device.bus_id = bus_id(find(backing_, "id"));
      device.vendor = vim_pci_id(find(backing_, "vendorId"), notes_);
      device.device = text_id(find(backing_, "deviceId"), notes_);
    } else {
      if (type_.empty()) return;
      return notes_.skip("PCI devices of an unknown kind are omitted", label());
    }
    add(std::move(device));
  }

  void read_allowed(const VimValue& allowed, VmPciDevice& device) {
    const auto vendor = vim_pci_id(find(&allowed, "vendorId"), notes_);
    const auto model = vim_pci_id(find(&allowed, "deviceId"), notes_);
    if (!vendor || !model) return;
    std::string ids = fmt::format("{}:{}", vendor->value, model->value);
    if (has(&allowed, "subVendorId") || has(&allowed, "subDeviceId") ||
        has(&allowed, "revisionId")) {
      notes_.skip("subsystem and revision of allowed devices are not kept", ids);
    }
    device.allowed.push_back(std::move(ids));
  }

  void add(VmPciDevice device) {
    device.label = label();
    device.group = vim_number(find(&device_, "deviceGroupInfo.groupInstanceKey"), 0,
                              kMostDeviceGroups, notes_);
    vm_.pci.push_back(std::move(device));
  }

  const VimValue& device_;
  const VimValue* backing_;
  FileNotes& notes_;
  VmFacts& vm_;
  std::string type_;  ///< "VirtualPCIPassthrough"; empty: unknown
};

}  // namespace

void read_vim_device(const VimValue& device, FileNotes& notes, VmFacts& vm) {
  VimDeviceReader(device, notes, vm).read();
}

}  // namespace vgsim::vsphere::import
