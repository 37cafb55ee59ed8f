#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/legality/checks.hpp"

namespace vgsim::vsphere {

void check_drivers(const Case& each) {
  if (!each.has_vgpus()) return;
  const auto& guest = each.vm.settings.guest_driver;
  const auto& host = each.host.settings.vgpu_manager;
  if (guest && host) {
    const std::string text = fmt::format("guest driver {}.{}, host vGPU manager {}.{}",
                                         guest->branch, guest->update, host->branch, host->update);
    const std::int64_t behind = host->branch - guest->branch;
    if (behind < 0) each.found("guest-driver-newer", text);
    if (behind == 1) each.found("guest-driver-older", text);
    if (behind > 1) each.found("guest-driver-too-old", text);
  }
  if (!each.vm.settings.unified_memory) {
    if (each.vm.gpus.size() > 1) {
      each.found("nccl-wants-unified-memory", "unified memory is off");
    }
    return;
  }
  const bool all_whole =
      std::all_of(each.vm.profiles.begin(), each.vm.profiles.end(),
                  [](const Profile* profile) { return profile != nullptr && profile->is_whole(); });
  if (!all_whole) {
    each.found("unified-memory-profile", "unified memory is on for a part of a GPU");
  }
  each.found("unified-memory-no-vmotion", "unified memory is on");
}

}  // namespace vgsim::vsphere
