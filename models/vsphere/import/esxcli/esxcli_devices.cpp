#include "models/vsphere/import/esxcli/esxcli_devices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/vsphere/import/esxcli/esxcli_commands.hpp"
#include "models/vsphere/import/esxcli/esxcli_lspci.hpp"
#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::int64_t kMostEsxcliMegabits = 100'000'000;
constexpr std::int64_t kMostNumaNode = 1023;
constexpr std::size_t kMostPorts = 64;  ///< of one function

/// A device with a subsystem id of 0 has none.
Maybe<std::string> some_id(Maybe<std::string> id) {
  if (id && id->value == "0000") return std::nullopt;
  return id;
}

}  // namespace

Maybe<std::string> esx_text(const EsxRecord& record, std::string_view key, const FileNotes& notes) {
  const EsxField* field = record.find(key);
  if (field == nullptr || same_word(field->value, "none")) return std::nullopt;
  return notes.stated(field->value);
}

Maybe<std::string> EsxDevices::id(const EsxRecord& record, std::string_view key) {
  const EsxField* field = record.find(key);
  if (field == nullptr) return std::nullopt;
  const auto number = any_number(field->value);
  std::string value = number ? pci_id(*number) : std::string();
  if (value.empty()) {
    notes_.error(codes::kBadValue, field->place,
                 fmt::format("a PCI id or class is \"{}\"", field->value),
                 "a number of 16 bits such as 0x10de");
    return std::nullopt;
  }
  return notes_.stated(std::move(value));
}

std::string EsxDevices::bus_id(const EsxRecord& record) {
  const EsxField* field = address_field(record);
  if (field == nullptr) return hex_bus_id(record.head);
  std::string value = hex_bus_id(field->value);
  if (value.empty()) {
    notes_.error(codes::kBadValue, field->place, fmt::format("the address \"{}\"", field->value),
                 "a PCI address in hex such as 0000:3b:00.0");
  }
  return value;
}

/// "hardware pci list" lists all functions with ids, owner and the bridge above; the other commands
/// add what it lacks. A subsystem id of 0 and a NUMA node of -1 mean unknown.
void EsxDevices::read_pci(const EsxRecord& record) {
  PciFunction function;
  Device& device = function.device;
  device.bus_id = bus_id(record);
  if (device.bus_id.empty()) return;
  function.place = record.place;
  device.pci_class = id(record, "deviceclass");
  device.vendor = id(record, "vendorid");
  device.device = id(record, "deviceid");
  device.subsystem_vendor = some_id(id(record, "subvendorid"));
  device.subsystem_device = some_id(id(record, "subdeviceid"));
  device.name = esx_text(record, "devicename", notes_);
  device.slot = esx_text(record, "slotdescription", notes_);
  device.driver = esx_text(record, "modulename", notes_);
  if (!device.driver) device.driver = esx_text(record, "currentowner", notes_);
  if (const EsxField* owner = record.find("currentowner")) {
    device.passthrough = notes_.stated(same_word(owner->value, "VM Passthru"));
  }
  if (const EsxField* parent = record.find("parentdevice")) {
    function.parent = esxcli_bus_id(parent->value);
  }
  read_numa_node(record, device);
  read_kernel_name(record, function);
  functions_.add(std::move(function));
}

void EsxDevices::read_numa_node(const EsxRecord& record, Device& device) {
  const EsxField* field = record.find("numanode");
  if (field == nullptr) return;
  const auto node = notes_.number(field->value, field->place, "NUMA node", -1, kMostNumaNode);
  // -1 means unknown.
  if (node && *node >= 0) device.numa_node = notes_.stated(*node);
}

void EsxDevices::read_kernel_name(const EsxRecord& record, PciFunction& function) {
  const EsxField* alias = record.find("vmkernelname");
  Device& device = function.device;
  function.virtual_function = device.name && mentions(device.name->value, "virtual function");
  function.root_port = (device.name && mentions(device.name->value, "root port")) ||
                       (alias != nullptr && alias->value.starts_with("PCIe RP["));
  if (alias == nullptr) return;
  if (const auto physical = physical_function(alias->value)) {
    function.virtual_function = true;
    ++virtual_functions_[*physical];
  } else if (alias->value.starts_with("vmnic")) {
    add_port(alias->value, device);
  }
}

void EsxDevices::add_port(const std::string& name, Device& device) {
  const auto same = [&](const Port& port) { return port.name && port.name->value == name; };
  if (device.ports.size() >= kMostPorts) return;
  if (std::ranges::any_of(device.ports, same)) return;
  Port port;
  port.name = notes_.stated(name);
  device.ports.push_back(std::move(port));
}

void EsxDevices::read_passthrough(const EsxRecord& record) {
  const EsxField* enabled = record.find("enabled");
  const auto flag = truth(enabled->value);
  if (!flag) {
    return notes_.error(codes::kBadValue, enabled->place,
                        fmt::format("Enabled is \"{}\"", enabled->value), "true or false");
  }
  const std::string address = hex_bus_id(record.find("deviceid")->value);
  functions_.at_or_new(address, DeviceKind::kOther).passthrough = notes_.stated(*flag);
}

void EsxDevices::read_graphics(const EsxRecord& record, Inventory& host) {
  const std::string address = bus_id(record);
  if (address.empty()) return;
  const auto vendor = esx_text(record, "vendorname", notes_);
  const bool is_gpu = !vendor || mentions(vendor->value, "nvidia") ||
                      mentions(vendor->value, "advanced micro") || mentions(vendor->value, "amd");
  if (!is_gpu && functions_.at(address) == nullptr) {
    return notes_.skip("displays other than GPUs of NVIDIA or AMD are omitted", address);
  }
  Device& device = functions_.at_or_new(address, DeviceKind::kGpu);
  if (!device.gpu) device.gpu.emplace();
  if (auto name = esx_text(record, "devicename", notes_)) device.name = std::move(name);
  if (auto module = esx_text(record, "modulename", notes_)) device.driver = std::move(module);
  if (auto driver = esx_text(record, "driverversion", notes_)) host.driver = std::move(driver);
  read_gpu(record, address, *device.gpu);
}

void EsxDevices::read_gpu(const EsxRecord& record, const std::string& address, Gpu& gpu) {
  const EsxField* type = record.find("graphicstype");
  const std::string word = type == nullptr ? std::string() : bare_key(type->value);
  if (word == "sharedpassthru" || word == "shareddirect") {
    gpu.virtualization = {{"Host VGPU", kAssumed}};
    notes_.assume("GPUs of graphics type sharedDirect run NVIDIA's vGPU manager", address);
  }
  const EsxField* memory = record.find("memorysizeinkb");
  if (memory == nullptr) return;
  const auto size =
      notes_.number(memory->value, memory->place, "memory size", 0, std::int64_t{1} << 40);
  // 0 where no driver reports it.
  if (size && *size > 0) gpu.memory = notes_.stated(Bytes{*size * 1024});
}

void EsxDevices::read_nic(const EsxRecord& record) {
  const std::string address = hex_bus_id(record.find("pcidevice")->value);
  const std::string& name = record.find("name")->value;
  if (address.empty()) return notes_.skip("NICs without a PCI address are omitted", name);
  Device& device = functions_.at_or_new(address, DeviceKind::kNic);
  if (auto driver = esx_text(record, "driver", notes_)) device.driver = std::move(driver);
  if (!device.name) device.name = esx_text(record, "description", notes_);
  add_port(name, device);
  const EsxField* speed = record.find("speed");
  if (speed == nullptr) return;
  const auto megabits = notes_.number(speed->value, speed->place, "speed", 0, kMostEsxcliMegabits);
  // 0 where the link is down.
  if (!megabits || *megabits == 0) return;
  for (Port& port : device.ports) {
    if (port.name && port.name->value == name)
      port.rate = notes_.stated(*megabits * kMegabitPerSecond);
  }
}

void EsxDevices::read_lspci(const EsxRecord& record) {
  const EsxLspciLine line = read_lspci_line(record.line);
  const std::string address = hex_bus_id(record.head);
  if (const auto physical = physical_function(line.alias)) {
    ++virtual_functions_[*physical];
    return notes_.skip("virtual functions are omitted, since they are not separate cards", address);
  }
  const auto kind = lspci_kind(line);
  if (!kind) return notes_.skip("functions other than GPUs, NICs and NVMe are omitted", address);
  Device& device = functions_.at_or_new(address, *kind);
  if (*kind == DeviceKind::kGpu && !device.gpu) device.gpu.emplace();
  if (!device.name && !line.name.empty()) device.name = notes_.stated(line.name);
  if (line.alias.starts_with("vmnic")) add_port(line.alias, device);
  read_lspci_ids(record, device);
}

/// Of lspci -v: "Class 0302: 10de:2335".
void EsxDevices::read_lspci_ids(const EsxRecord& record, Device& device) {
  for (const EsxField& field : record.fields) {
    if (!field.key.starts_with("class") || field.key.size() != 9) continue;
    const std::size_t colon = field.value.find(':');
    const std::string vendor = hex_pci_id(std::string_view(field.value).substr(0, colon));
    const std::string model = colon == std::string::npos
                                  ? std::string()
                                  : hex_pci_id(std::string_view(field.value).substr(colon + 1, 4));
    const std::string pci_class = hex_pci_id(std::string_view(field.key).substr(5));
    if (vendor.empty() || model.empty() || pci_class.empty()) continue;
    device.pci_class = notes_.stated(pci_class);
    device.vendor = notes_.stated(vendor);
    device.device = notes_.stated(model);
  }
}

void EsxDevices::place(Inventory& host) {
  for (const auto& [bus_id, count] : virtual_functions_) {
    functions_.at_or_new(bus_id, DeviceKind::kNic).virtual_functions = notes_.stated(count);
  }
  functions_.place(host);
}

}  // namespace vgsim::vsphere::import
