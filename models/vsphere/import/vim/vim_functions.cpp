#include "models/vsphere/import/vim/vim_functions.hpp"

#include <fmt/core.h>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

/// A device with a subsystem id of 0 has none.
Maybe<std::string> subsystem_id(const VimValue* value, FileNotes& notes) {
  auto id = vim_pci_id(value, notes);
  if (id && id->value == "0000") return std::nullopt;
  return id;
}

Maybe<std::string> slot(const VimValue& pci_device, const FileNotes& notes) {
  if (auto text = vim_text(find(&pci_device, "slotDescription"), notes)) return text;
  const VimValue* number = find(&pci_device, "physicalSlot");
  const auto value = number == nullptr ? std::nullopt : whole_number(number->text);
  // -1, also as an unsigned number, means that there is none.
  if (!value || *value <= 0 || *value >= 0xFFFFFFFF) return std::nullopt;
  return notes.stated(fmt::format("Slot {}", *value));
}

}  // namespace

std::string vim_bus_id(const VimValue* value, FileNotes& notes) {
  if (value == nullptr || trimmed(value->text).empty()) return {};
  std::string id = hex_bus_id(value->text);
  if (id.empty()) {
    notes.error(codes::kBadValue, value->place,
                fmt::format("{} is \"{}\"", printable(value->name), printable(value->text)),
                "a PCI address in hex such as 0000:3b:00.0");
  }
  return id;
}

Maybe<std::string> vim_pci_id(const VimValue* value, FileNotes& notes) {
  const auto number = vim_number(value, -32768, 65535, notes);
  if (!number) return std::nullopt;
  return notes.stated(pci_id(number->value));
}

std::optional<PciFunction> read_vim_function(const VimValue& pci_device, FileNotes& notes) {
  const VimValue* id = find(&pci_device, "id");
  PciFunction function;
  Device& device = function.device;
  device.bus_id = vim_bus_id(id, notes);
  if (device.bus_id.empty()) {
    if (id == nullptr) {
      notes.error(codes::kBadValue, pci_device.place, "a PCI device without an id",
                  "a PCI address in hex such as 0000:3b:00.0");
    }
    return std::nullopt;
  }
  device.pci_class = vim_pci_id(find(&pci_device, "classId"), notes);
  device.vendor = vim_pci_id(find(&pci_device, "vendorId"), notes);
  device.device = vim_pci_id(find(&pci_device, "deviceId"), notes);
  device.subsystem_vendor = subsystem_id(find(&pci_device, "subVendorId"), notes);
  device.subsystem_device = subsystem_id(find(&pci_device, "subDeviceId"), notes);
  device.name = vim_text(find(&pci_device, "deviceName"), notes);
  device.slot = slot(pci_device, notes);
  function.parent = vim_bus_id(find(&pci_device, "parentBridge"), notes);
  function.virtual_function = device.name && mentions(device.name->value, "virtual function");
  function.root_port = device.name && mentions(device.name->value, "root port");
  function.place = id->place;
  return function;
}

}  // namespace vgsim::vsphere::import
