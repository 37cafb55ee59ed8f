#include "models/vsphere/import/vim/vim_vm.hpp"

#include <fmt/core.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vm_options.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostVimDevices = 4096;
constexpr std::int64_t kMostVimGroups = 1'000'000;

/// A VM has the same facts in config and in summary, either of which may be missing, and in
/// extraConfig, whose keys are those of a .vmx file. The latter are read last and never replace
/// typed members.
class VimVmReader {
 public:
  VimVmReader(const VimObject& object, const VimNames& names, FileNotes& notes)
      : object_(object), root_(object.root), names_(names), notes_(notes) {}

  VmFacts read() {
    read_identity();
    read_size();
    read_settings();
    read_devices();
    read_groups();
    return std::move(vm_);
  }

 private:
  /// Of the first path that is there.
  const VimValue* first(std::initializer_list<const char*> paths) {
    for (const char* path : paths) {
      if (const VimValue* value = find(&root_, path)) return value;
    }
    return nullptr;
  }

  void read_identity() {
    const std::string name = name_of(object_);
    if (!name.empty() && name != object_.id) vm_.name = notes_.stated(name);
    const std::string host = reference(first({"runtime.host", "summary.runtime.host"}));
    const auto known = names_.find(host);
    if (known != names_.end()) {
      vm_.host = notes_.stated(known->second);
    } else if (!host.empty()) {
      vm_.host_id = notes_.stated(host);
    }
    const VimValue* power = first({"runtime.powerState", "summary.runtime.powerState"});
    if (power != nullptr) vm_.powered_on = notes_.stated(same_word(power->text, "poweredOn"));
    vm_.guest_os = vim_text(first({"config.guestFullName", "config.guestId",
                                   "summary.config.guestFullName", "summary.config.guestId"}),
                            notes_);
    vm_.firmware = vim_text(find(&root_, "config.firmware"), notes_);
    read_version(first({"config.version", "summary.config.hwVersion"}));
  }

  void read_version(const VimValue* version) {
    constexpr std::string_view kStart = "vmx-";
    if (version == nullptr || !version->text.starts_with(kStart)) return;
    const auto number = notes_.number(std::string_view(version->text).substr(kStart.size()),
                                      version->place, "hardware version", 1, 999);
    if (number) vm_.hardware_version = notes_.stated(*number);
  }

  Maybe<std::int64_t> number(const VimValue* value, std::int64_t max) {
    auto number = vim_number(value, 0, max, notes_);
    // 0 leaves it to the host, or is not known.
    if (number && number->value == 0) return std::nullopt;
    return number;
  }

  void read_size() {
    vm_.vcpus = number(first({"config.hardware.numCPU", "summary.config.numCpu"}), kMostCpus);
    vm_.cores_per_socket = number(find(&root_, "config.hardware.numCoresPerSocket"), kMostCpus);
    const auto memory =
        number(first({"config.hardware.memoryMB", "summary.config.memorySizeMB"}), kMostMebibytes);
    if (memory) vm_.memory = notes_.stated(Bytes{memory->value * kMebibyte});
    const auto locked = vim_truth(find(&root_, "config.memoryReservationLockedToMax"), notes_);
    const auto reserved = vim_number(
        first({"config.memoryAllocation.reservation", "summary.config.memoryReservation"}), 0,
        kMostMebibytes, notes_);
    if (locked && locked->value) {
      vm_.memory_reserved = locked;
    } else if (reserved) {
      read_memory_reservation(reserved->value, notes_, vm_);
    }
  }

  void read_settings() {
    vm_.latency_sensitivity = vim_text(find(&root_, "config.latencySensitivity.level"), notes_);
    const auto automatic = vim_truth(find(&root_, "config.numaInfo.autoCoresPerNumaNode"), notes_);
    if (!automatic || !automatic->value) {
      vm_.vcpus_per_numa_node = number(find(&root_, "config.numaInfo.coresPerNumaNode"), kMostCpus);
    }
    std::vector<VmOption> options;
    for (const VimValue* option : items(&root_, "config.extraConfig")) {
      const VimValue* key = find(option, "key");
      const VimValue* value = find(option, "value");
      if (key == nullptr || value == nullptr) continue;
      options.push_back({key->text, value->text, value->place});
    }
    read_vm_options(options, notes_, vm_);
  }

  void read_devices() {
    for (const VimValue* device : items(&root_, "config.hardware.device")) {
      read_vim_device(*device, notes_, vm_);
      const std::size_t count = vm_.pci.size() + vm_.adapters.size();
      if (count <= kMostVimDevices) continue;
      return notes_.error(codes::kTooMuch, device->place,
                          fmt::format("more than {} devices of a VM", kMostVimDevices));
    }
  }

  void read_groups() {
    for (const VimValue* group : items(&root_, "config.deviceGroups.deviceGroup")) {
      const auto key = vim_number(find(group, "groupInstanceKey"), 0, kMostVimGroups, notes_);
      const auto name = vim_text(find(group, "deviceGroupName"), notes_);
      if (key && name) vm_.device_groups[key->value] = *name;
    }
  }

  const VimObject& object_;
  const VimValue& root_;
  const VimNames& names_;
  FileNotes& notes_;
  VmFacts vm_;
};

}  // namespace

VmFacts read_vim_vm(const VimObject& object, const VimNames& names, FileNotes& notes) {
  return VimVmReader(object, names, notes).read();
}

}  // namespace vgsim::vsphere::import
