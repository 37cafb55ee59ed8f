#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "models/vsphere/legality/checks.hpp"

namespace vgsim::vsphere {
namespace {

std::string words(const DriverRelease& release) {
  return fmt::format("{}.{}", release.branch, release.update);
}

/// A guest driver of the manager's own branch, of the one before, or, where both have long-term
/// support, of the last such branch before works; any other does not load.
void check_guest_driver(const Case& each) {
  const auto& guest = each.vm.settings.guest_driver;
  const auto& host = each.host.settings.vgpu_manager;
  if (!guest || !host || guest->branch == host->branch) return;
  const std::string text =
      fmt::format("guest driver {}, host vGPU manager {}", words(*guest), words(*host));
  const Versions& versions = each.layout.facts.versions;
  const VgpuBranch* own = versions.branch(host->branch);
  const bool from_long_term =
      own != nullptr && own->long_term && versions.long_term_before(host->branch) == guest->branch;
  if (guest->branch > host->branch) {
    each.found("guest-driver-newer", text);
  } else if (guest->branch == host->branch - 1 || from_long_term) {
    each.found("guest-driver-older", text);
  } else {
    each.found("guest-driver-too-old", text);
  }
}

/// The first version of the same major number: "8.0" of "8.0U3".
const std::string& first_of_major(std::string_view version) {
  const auto& words = Versions::words();
  return *std::find_if(words.begin(), words.end(),
                       [&](const std::string& word) { return word.front() == version.front(); });
}

/// The manager's release and this version of vSphere: by release notes, and branches
/// whose last release came out before the version did.
void check_manager(const Case& each, const DriverRelease& manager) {
  const Versions& versions = each.layout.facts.versions;
  const VgpuReleases& works = versions.vgpu_releases(each.layout.version);
  const auto refuse = [&](const std::string& why) {
    each.found("vgpu-manager-vsphere", fmt::format("vGPU manager {}: {}", words(manager), why));
  };
  if (works.from && manager < *works.from) {
    return refuse(fmt::format("vSphere {} is supported from vGPU {} on", each.layout.version,
                              words(*works.from)));
  }
  if (works.to && manager > *works.to) {
    return refuse(fmt::format("vSphere {} is supported up to vGPU {}", each.layout.version,
                              words(*works.to)));
  }
  const VgpuBranch* branch = versions.branch(manager.branch);
  const std::string& first = first_of_major(each.layout.version);
  if (branch == nullptr || branch->ended.empty() || branch->ended > versions.date(first)) return;
  refuse(fmt::format("the last release of branch {} came out in {}, before vSphere {} ({})",
                     manager.branch, branch->ended, first, versions.date(first)));
}

/// A board against the vGPU manager and the version of vSphere.
void check_board(const Case& each, const Board& board) {
  const VgpuSupport& support = board.vgpu;
  const auto& manager = each.host.settings.vgpu_manager;
  if (manager && support.from && *manager < *support.from) {
    each.found("gpu-vgpu-release",
               fmt::format("vGPU manager {}, but the vGPU software supports {} from {} on",
                           words(*manager), board.name, words(*support.from)));
  } else if (manager && support.to && *manager > *support.to) {
    each.found("gpu-vgpu-release",
               fmt::format("vGPU manager {}, but branch {} is the last that supports {}",
                           words(*manager), support.to->branch, board.name));
  }
  const auto& guest = each.vm.settings.guest_driver;
  if (guest && support.from && *guest < *support.from) {
    each.found("gpu-vgpu-release",
               fmt::format("guest driver {}, but the vGPU software supports {} from {} on",
                           words(*guest), board.name, words(*support.from)));
  }
  if (support.vsphere && is_older(each.layout.version, *support.vsphere)) {
    each.found("gpu-vgpu-vsphere", fmt::format("vGPUs of {} need vSphere {}, this is {}",
                                               board.name, *support.vsphere, each.layout.version));
  }
}

void check_boards(const Case& each) {
  std::set<const Board*> boards;
  for (const std::size_t gpu : each.vm.gpus) boards.insert(each.host.boards[gpu]);
  for (const Board* board : boards) {
    if (board != nullptr) check_board(each, *board);
  }
}

/// Unified memory works with vGPUs that have all of a GPU, and with MIG-backed ones that have all
/// of a GPU instance.
bool takes_unified_memory(const Profile* profile) {
  return profile != nullptr &&
         (profile->is_whole() || (profile->mig && profile->vgpus_per_instance == 1));
}

void check_unified_memory(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (!vm.settings.unified_memory) {
    if (vm.gpus.size() > 1) each.found("nccl-wants-unified-memory", "unified memory is off");
    return;
  }
  const auto part = std::find_if_not(vm.profiles.begin(), vm.profiles.end(), takes_unified_memory);
  if (part != vm.profiles.end()) {
    each.found("unified-memory-profile",
               fmt::format("unified memory is on, and \"{}\" is neither a whole GPU nor a whole "
                           "GPU instance",
                           *part == nullptr ? "" : (*part)->name));
  }
  if (!vm.settings.linux_guest) {
    each.found("unified-memory-guest-os", "unified memory is on, and its guest is not Linux");
  }
  each.found("unified-memory-no-vmotion", "unified memory is on");
}

}  // namespace

void check_drivers(const Case& each) {
  if (!each.has_vgpus()) return;
  if (!each.layout.facts.versions.takes_vgpu(each.host.server)) {
    each.found("vgpu-on-dgx", fmt::format("its host is a {}", each.host.server));
  }
  check_guest_driver(each);
  if (each.host.settings.vgpu_manager) check_manager(each, *each.host.settings.vgpu_manager);
  check_boards(each);
  check_unified_memory(each);
}

}  // namespace vgsim::vsphere
