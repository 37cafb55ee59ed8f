#include "topology/importers/hwloc/hwloc_devices.hpp"

#include <fmt/core.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/importers/hwloc/hwloc_library.hpp"
#include "topology/importers/hwloc/hwloc_osdev.hpp"
#include "topology/importers/pcie_gigabytes.hpp"
#include "topology/importers/pcie_ports.hpp"
#include "topology/machine/pci_names.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

using PciAttributes = hwloc_obj_attr_u::hwloc_pcidev_attr_s;

std::string bus_id_of(const PciAttributes& pci) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.dev, pci.func & 0xf);
}

/// The names of vendor and device, as lspci writes them.
std::string name_of(hwloc_obj_t object) {
  const std::string_view vendor = hwloc_info_of(object, "PCIVendor");
  const std::string_view device = hwloc_info_of(object, "PCIDevice");
  if (!device.empty()) return printable(fmt::format("{} {}", vendor, device));
  return object->name == nullptr ? std::string() : printable(object->name);
}

/// Converts hwloc's I/O tree to PCI functions with their children; PcieTree converts bridges. OS
/// devices (eth0, nvml0, mlx5_0) are not PCI functions: they belong to one and contain its ports,
/// number and UUID.
class DeviceReader {
 public:
  DeviceReader(HwlocNodes& nodes, FileNotes& notes) : nodes_(nodes), notes_(notes), ports_(notes) {}

  void read(hwloc_obj_t object);
  void finish() { ports_.finish(); }

 private:
  void read_root(hwloc_obj_t root, hwloc_obj_t place);
  PciFunction function_of(hwloc_obj_t object);
  void read_make(hwloc_obj_t object, Device& device);
  void set_speed(Device& device);
  void note_orphan(hwloc_obj_t os_device);

  HwlocNodes& nodes_;
  FileNotes& notes_;
  PcieTree ports_;
  std::map<std::string, double> gigabytes_;  ///< of links, by bus id
};

void DeviceReader::note_orphan(hwloc_obj_t os_device) {
  if (is_hwloc_gpu(os_device)) {
    notes_.skip("GPUs without a PCI device in hwloc", printable(os_device->name));
  }
}

/// Of the device and those below it, once it is clear which are kept.
void DeviceReader::set_speed(Device& device) {
  for (Device& below : device.below) set_speed(below);
  const double gigabytes = gigabytes_[device.bus_id];
  if (!(gigabytes > 0.0)) return;
  const auto link = link_of_gigabytes(gigabytes, device.kind);
  if (!link) {
    notes_.skip("links whose GB/s match no generation and number of lanes, or several",
                fmt::format("{} with {:.2f}", device.bus_id, gigabytes));
    return;
  }
  device.link_now = notes_.stated(link->width);
  if (link->only_one) return;
  device.link_now->source = inventory::kAssumed;
  notes_.assume(
      "hwloc reports GB/s of links: taken as the PCIe generation that has this rate with 16 lanes, "
      "else with 8, for NVMe drives with 4",
      device.bus_id);
}

void DeviceReader::read_make(hwloc_obj_t object, Device& device) {
  const PciAttributes& pci = object->attr->pcidev;
  device.bus_id = bus_id_of(pci);
  gigabytes_[device.bus_id] = static_cast<double>(pci.linkspeed);
  PciMake make;
  make.name = name_of(object);
  if (pci.vendor_id != 0) {
    make.pci_class = fmt::format("{:04x}", pci.class_id);
    make.vendor = fmt::format("{:04x}", pci.vendor_id);
    make.device = fmt::format("{:04x}", pci.device_id);
    device.pci_class = notes_.stated(make.pci_class);
    device.vendor = notes_.stated(make.vendor);
    device.device = notes_.stated(make.device);
  }
  if (pci.subvendor_id != 0) {
    device.subsystem_vendor = notes_.stated(fmt::format("{:04x}", pci.subvendor_id));
    device.subsystem_device = notes_.stated(fmt::format("{:04x}", pci.subdevice_id));
  }
  if (!make.name.empty()) device.name = notes_.stated(make.name);
  const bool nvswitch =
      object->subtype != nullptr && std::string_view(object->subtype) == "NVSwitch";
  device.kind = nvswitch ? DeviceKind::kNvSwitch : kind_of_pci(make);
  const std::string slot = printable(hwloc_info_of(object, "PCISlot"));
  if (!slot.empty()) device.slot = notes_.stated(slot);
}

PciFunction DeviceReader::function_of(hwloc_obj_t object) {
  PciFunction function;
  Device& device = function.device;
  read_make(object, device);
  if (object->type == HWLOC_OBJ_BRIDGE) {
    device.kind = DeviceKind::kBridge;
    function.port = PciePort::kUnknown;
  } else if (device.kind == DeviceKind::kBridge) {
    device.kind = DeviceKind::kOther;
  }
  function.is_virtual = device.name && names_virtual_function(device.name->value);
  std::vector<hwloc_obj_t> os_devices;
  for (hwloc_obj_t child = object->io_first_child; child != nullptr; child = child->next_sibling) {
    if (child->type == HWLOC_OBJ_OS_DEVICE) {
      os_devices.push_back(child);
    } else {
      function.below.push_back(function_of(child));
    }
  }
  if (device.kind == DeviceKind::kGpu) {
    device.gpu.emplace();
    read_hwloc_gpu(os_devices, device, notes_);
    const auto memory = nodes_.gpu_memory(device.bus_id);
    if (memory) device.gpu->numa_node = notes_.stated(*memory);
  } else if (device.kind == DeviceKind::kNic) {
    device.ports = read_hwloc_ports(os_devices, notes_);
  } else {
    for (const hwloc_obj_t os_device : os_devices) note_orphan(os_device);
  }
  return function;
}

/// A host bridge, or a PCI function without one above it.
void DeviceReader::read_root(hwloc_obj_t root, hwloc_obj_t place) {
  std::vector<PciFunction> bus;
  Maybe<std::string> root_complex;
  const bool host_bridge =
      root->type == HWLOC_OBJ_BRIDGE && root->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST;
  if (host_bridge) {
    const auto& buses = root->attr->bridge.downstream.pci;
    root_complex = notes_.stated(fmt::format("{:04x}:{:02x}", buses.domain, buses.secondary_bus));
    for (hwloc_obj_t child = root->io_first_child; child != nullptr; child = child->next_sibling) {
      if (child->type == HWLOC_OBJ_OS_DEVICE) {
        note_orphan(child);
      } else {
        bus.push_back(function_of(child));
      }
    }
  } else {
    bus.push_back(function_of(root));
    const PciAttributes& pci = root->attr->pcidev;
    root_complex = notes_.stated(fmt::format("{:04x}:{:02x}", pci.domain, pci.bus));
  }
  std::vector<Device> devices;
  ports_.add(std::move(bus), root_complex, devices);
  if (devices.empty()) return;
  if (!nodes_.has_one_node(place)) {
    for (const Device& device : devices) {
      notes_.skip("NUMA nodes of devices near several nodes or none", device.bus_id);
    }
  }
  inventory::NumaNode& node = nodes_.node_of(place);
  for (Device& device : devices) {
    set_speed(device);
    node.devices.push_back(std::move(device));
  }
}

void DeviceReader::read(hwloc_obj_t object) {
  for (hwloc_obj_t child = object->io_first_child; child != nullptr; child = child->next_sibling) {
    if (child->type == HWLOC_OBJ_OS_DEVICE) {
      note_orphan(child);
    } else {
      read_root(child, object);
    }
  }
  for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
    read(child);
  }
}

}  // namespace

void read_hwloc_devices(hwloc_topology_t topology, HwlocNodes& nodes, FileNotes& notes) {
  DeviceReader reader(nodes, notes);
  reader.read(hwloc_get_root_obj(topology));
  reader.finish();
}

std::string hwloc_bus_id_of(hwloc_obj_t object) {
  while (object != nullptr && object->type != HWLOC_OBJ_PCI_DEVICE) object = object->parent;
  return object == nullptr ? std::string() : bus_id_of(object->attr->pcidev);
}

}  // namespace vgsim::topology
