#include "models/vsphere/import/vim/vim_host.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "models/vsphere/import/host_functions.hpp"
#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_cpus.hpp"
#include "models/vsphere/import/vim/vim_functions.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::int64_t kMostMegabits = 100'000'000;
constexpr std::int64_t kMostHostFunctions = 65536;

bool is_gpu_vendor(std::string_view name) {
  return mentions(name, "nvidia") || mentions(name, "amd") || mentions(name, "advanced micro") ||
         mentions(name, "intel");
}

/// The API describes a host in independent lists: PCI devices, passthrough state,
/// graphics, NICs. They are joined by bus id, and the PCI list comes first, since only it has the
/// tree; an entry of another list for an unknown id adds a device without a place.
class HostReader {
 public:
  HostReader(const VimObject& object, const VimNames& names, FileNotes& notes)
      : root_(object.root), names_(names), notes_(notes), functions_(notes) {
    const std::string name = name_of(object);
    if (!name.empty() && name != object.id) host_.name = notes_.stated(name);
    if (!object.id.empty()) host_.object_id = notes_.stated(object.id);
  }

  Inventory read() {
    read_system();
    const auto numa_nodes = read_vim_cpus(root_, notes_, host_);
    for (const VimValue* device : items(&root_, "hardware.pciDevice")) {
      if (auto function = read_vim_function(*device, notes_)) functions_.add(std::move(*function));
    }
    for (const VimValue* info : items(&root_, "config.graphicsInfo")) read_graphics(*info);
    for (const VimValue* info : items(&root_, "config.pciPassthruInfo")) read_passthrough(*info);
    for (const VimValue* nic : items(&root_, "config.network.pnic")) read_nic(*nic);
    functions_.set_numa_nodes(numa_nodes);
    functions_.place(host_);
    read_offers();
    notes_.tell(host_);
    return std::move(host_);
  }

 private:
  Maybe<std::string> text(const char* path, const char* otherwise) {
    auto value = vim_text(find(&root_, path), notes_);
    return value ? value : vim_text(find(&root_, otherwise), notes_);
  }

  void read_system() {
    host_.vendor = text("hardware.systemInfo.vendor", "summary.hardware.vendor");
    host_.model = text("hardware.systemInfo.model", "summary.hardware.model");
    host_.hypervisor = text("config.product.fullName", "summary.config.product.fullName");
  }

  void read_graphics(const VimValue& info) {
    const std::string bus_id = vim_bus_id(find(&info, "pciId"), notes_);
    const auto vendor = vim_text(find(&info, "vendorName"), notes_);
    const auto name = vim_text(find(&info, "deviceName"), notes_);
    if (bus_id.empty()) return;
    if (functions_.at(bus_id) == nullptr) {
      const bool is_gpu =
          (vendor && is_gpu_vendor(vendor->value)) || (name && is_gpu_vendor(name->value));
      if (!is_gpu) {
        return notes_.skip("displays other than GPUs of NVIDIA, AMD or Intel are omitted", bus_id);
      }
    }
    Device& device = functions_.at_or_new(bus_id, DeviceKind::kGpu);
    if (!device.gpu) device.gpu.emplace();
    if (name) device.name = name;
    read_gpu(info, bus_id, *device.gpu);
  }

  void read_gpu(const VimValue& info, const std::string& bus_id, Gpu& gpu) {
    const auto memory = vim_number(find(&info, "memorySizeInKB"), 0, std::int64_t{1} << 40, notes_);
    if (memory && memory->value > 0) gpu.memory = notes_.stated(Bytes{memory->value * 1024});
    const VimValue* type = find(&info, "graphicsType");
    const VimValue* mode = find(&info, "vgpuMode");
    if (type != nullptr && type->text == "sharedDirect") {
      gpu.virtualization = {{"Host VGPU", kAssumed}};
      notes_.assume("GPUs of graphics type sharedDirect run NVIDIA's vGPU manager", bus_id);
      for (const VimValue* vm : items(&info, "vm")) gpu.vgpus.push_back({"", vm_name(*vm)});
    }
    if (mode != nullptr && mode->text == "multiInstanceGpu") gpu.mig = notes_.stated(true);
    if (gpu.vgpus.empty()) return;
    notes_.skip("the host does not report the profiles of running vGPUs", bus_id);
  }

  std::string vm_name(const VimValue& vm) {
    const std::string id = reference(&vm);
    const auto known = names_.find(id);
    return known == names_.end() ? id : known->second;
  }

  void read_passthrough(const VimValue& info) {
    const std::string bus_id = vim_bus_id(find(&info, "id"), notes_);
    if (bus_id.empty()) return;
    const auto enabled = vim_truth(find(&info, "passthruEnabled"), notes_);
    const auto active = vim_truth(find(&info, "passthruActive"), notes_);
    const auto sriov = vim_truth(find(&info, "sriovCapable"), notes_);
    if (functions_.at(bus_id) == nullptr) {
      // All functions of a host are in this list; most of them add nothing.
      const bool news = (enabled && enabled->value) || (sriov && sriov->value);
      if (functions_.listed() || !news) {
        return notes_.skip(
            "the passthrough state of functions that the file does not list is omitted", bus_id);
      }
    }
    Device& device = functions_.at_or_new(bus_id, DeviceKind::kOther);
    if (enabled && active) device.passthrough = notes_.stated(enabled->value && active->value);
    device.virtual_functions =
        vim_number(find(&info, "numVirtualFunction"), 0, kMostHostFunctions, notes_);
    const VimValue* label = find(&info, "hardwareLabel");
    if (label != nullptr) {
      notes_.skip("labels of devices for Dynamic DirectPath I/O are not kept",
                  fmt::format("\"{}\" of {}", printable(label->text), bus_id));
    }
  }

  void read_nic(const VimValue& nic) {
    const VimValue* pci = find(&nic, "pci");
    // A NIC on a software bus has something else there.
    const std::string bus_id = pci == nullptr ? std::string() : hex_bus_id(pci->text);
    Port port;
    port.name = vim_text(find(&nic, "device"), notes_);
    const auto speed = vim_number(find(&nic, "linkSpeed.speedMb"), 0, kMostMegabits, notes_);
    if (speed && speed->value > 0) port.rate = notes_.stated(speed->value * kMegabitPerSecond);
    if (bus_id.empty()) {
      return notes_.skip("NICs without a PCI address are omitted",
                         port.name ? port.name->value : "");
    }
    Device& device = functions_.at_or_new(bus_id, DeviceKind::kNic);
    if (auto driver = vim_text(find(&nic, "driver"), notes_)) device.driver = driver;
    device.ports.push_back(std::move(port));
  }

  void read_offers() {
    for (const VimValue* profile : items(&root_, "config.sharedPassthruGpuTypes")) {
      std::string name = printable(profile->text);
      if (!name.empty()) host_.profiles.push_back(std::move(name));
    }
    const VimValue* policy = find(&root_, "config.graphicsConfig.sharedPassthruAssignmentPolicy");
    if (policy == nullptr) return;
    notes_.skip("the host's policy of choosing GPUs for vGPUs is not kept",
                printable(policy->text));
  }

  const VimValue& root_;
  const VimNames& names_;
  FileNotes& notes_;
  HostFunctions functions_;
  Inventory host_;
};

}  // namespace

Inventory read_vim_host(const VimObject& object, const VimNames& names, FileNotes& notes) {
  return HostReader(object, names, notes).read();
}

}  // namespace vgsim::vsphere::import
