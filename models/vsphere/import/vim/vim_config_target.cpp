#include <fmt/core.h>

#include <set>
#include <string>
#include <utility>

#include "models/vsphere/import/host_functions.hpp"
#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_functions.hpp"
#include "models/vsphere/import/vim/vim_host.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::int64_t kMostGibibytes = 1 << 20;

/// A configuration target is the offer of a host to new VMs. It has no PCI tree: devices come from
/// its lists for passthrough and SR-IOV, which may overlap, and the memory of GPUs from the largest
/// vGPU of their model.
class TargetReader {
 public:
  TargetReader(const VimObject& object, FileNotes& notes)
      : root_(object.root), notes_(notes), functions_(notes) {}

  Inventory read() {
    host_.cores = count("numCpuCores");
    host_.threads = count("numCpus");
    read_passthrough();
    read_sriov();
    functions_.place(host_);
    for (const VimValue* info : items(&root_, "vgpuDeviceInfo")) read_vgpu_device(*info);
    read_profiles();
    for (const VimValue* group : items(&root_, "vendorDeviceGroupInfo")) {
      const auto name = vim_text(find(group, "deviceGroupName"), notes_);
      if (name) host_.device_groups.push_back(name->value);
    }
    notes_.tell(host_);
    return std::move(host_);
  }

 private:
  Maybe<std::int64_t> count(const char* name) {
    auto value = vim_number(find(&root_, name), 0, kMostCpus, notes_);
    if (value && value->value == 0) return std::nullopt;
    return value;
  }

  /// The device of a pciPassthrough or sriov entry. Null, with an error, if it cannot be read.
  Device* add(const VimValue& info) {
    const VimValue* pci = find(&info, "pciDevice");
    const VimValue* id = find(pci, "id");
    if (id == nullptr) return nullptr;
    const std::string bus_id = vim_bus_id(id, notes_);
    if (bus_id.empty()) return nullptr;
    const VimValue* virtual_function = find(&info, "virtualFunction");
    // A device may be in both lists.
    if (functions_.at(bus_id) == nullptr) {
      const bool is_virtual =
          virtual_function != nullptr && truth(virtual_function->text).value_or(false);
      auto function = read_vim_function(*pci, notes_);
      if (!function) return nullptr;
      function->virtual_function = function->virtual_function || is_virtual;
      functions_.add(std::move(*function));
    }
    return functions_.at(bus_id);
  }

  void read_passthrough() {
    for (const VimValue* info : items(&root_, "pciPassthrough")) {
      const bool is_sriov = find(info, "virtualFunction") != nullptr;
      Device* device = add(*info);
      if (device != nullptr && !is_sriov) device->passthrough = notes_.stated(true);
    }
  }

  void read_sriov() {
    for (const VimValue* info : items(&root_, "sriov")) {
      Device* device = add(*info);
      auto nic = vim_text(find(info, "pnic"), notes_);
      if (device == nullptr || !nic) continue;
      Port port;
      port.name = std::move(nic);
      device->ports.push_back(std::move(port));
    }
  }

  /// Frame buffer of a model of GPU, by "vendor in the lower 16 bits, device above".
  void read_vgpu_device(const VimValue& info) {
    const auto ids = vim_number(find(&info, "deviceVendorId"), 0, 0xFFFFFFFF, notes_);
    const auto size = vim_number(find(&info, "maxFbSizeInGib"), 0, kMostGibibytes, notes_);
    if (!ids || !size || size->value == 0) return;
    const std::string vendor = pci_id(ids->value & 0xFFFF);
    const std::string model = pci_id(ids->value >> 16);
    for (Device& device : host_.unplaced) {
      if (!device.gpu || !device.vendor || !device.device) continue;
      if (device.vendor->value != vendor || device.device->value != model) continue;
      device.gpu->memory = {{Bytes{size->value << 30}, kAssumed}};
      notes_.assume("GPUs have as much memory as their largest vGPU, in whole GiB", device.bus_id);
    }
  }

  void read_profiles() {
    for (const VimValue* info : items(&root_, "sharedGpuPassthroughTypes")) {
      const auto profile = vim_text(find(info, "vgpu"), notes_);
      if (profile) host_.profiles.push_back(profile->value);
    }
    const bool stated = !host_.profiles.empty();
    const std::set<std::string> offered(host_.profiles.begin(), host_.profiles.end());
    for (const VimValue* info : items(&root_, "vgpuProfileInfo")) {
      const auto profile = vim_text(find(info, "profileName"), notes_);
      if (!profile || offered.contains(profile->value)) continue;
      if (stated) {
        notes_.skip("vGPU profiles that the host does not offer now are omitted", profile->value);
      } else {
        host_.profiles.push_back(profile->value);
      }
    }
  }

  const VimValue& root_;
  FileNotes& notes_;
  HostFunctions functions_;
  Inventory host_;
};

}  // namespace

Inventory read_vim_config_target(const VimObject& object, FileNotes& notes) {
  return TargetReader(object, notes).read();
}

}  // namespace vgsim::vsphere::import
