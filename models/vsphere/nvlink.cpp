#include "models/vsphere/nvlink.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

bool is_whole_vgpu(const VirtualMachine& vm, std::size_t position) {
  return vm.profiles[position] != nullptr && vm.profiles[position]->is_whole();
}

bool all_of_hopper_or_newer(const VirtualMachine& vm, const HostInventory& host) {
  return std::all_of(vm.gpus.begin(), vm.gpus.end(), [&](std::size_t gpu) {
    return host.boards[gpu] != nullptr && host.boards[gpu]->is_hopper_or_newer();
  });
}

/// GPUs of the host that another VM holds by name, by device group or in passthrough, or this one
/// by device group.
std::vector<bool> held_for_good(const VirtualMachine& vm, const HostInventory& host,
                                const std::vector<VirtualMachine>& vms) {
  std::vector<bool> held(host.gpus.size(), false);
  for (const VirtualMachine& other : vms) {
    if (other.host != vm.host) continue;
    const bool is_other = other.name != vm.name;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      const bool stays = other.nvlink_group[g].has_value() ||
                         (is_other && (other.gpus_named || other.mode != GpuMode::kVgpu));
      if (stays) held[other.gpus[g]] = true;
    }
  }
  return held;
}

std::size_t joined_pairs(const HostInventory& host, const std::vector<std::size_t>& gpus) {
  std::size_t joined = 0;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < gpus.size(); ++b) {
      if (host.joined[gpus[a]][gpus[b]]) ++joined;
    }
  }
  return joined;
}

}  // namespace

std::optional<std::string_view> nvlink_bar(const VirtualMachine& vm, const HostInventory& host,
                                           const Versions& versions, std::string_view version) {
  if (vm.mode == GpuMode::kPassthrough) {
    const bool part = host.nvswitch && !vm.gpus.empty() && vm.gpus.size() < host.gpus.size();
    return part ? std::optional("nvswitch-passthrough-part") : std::nullopt;
  }
  if (vm.mode != GpuMode::kVgpu) return std::nullopt;
  if (!versions.has(version, "vgpu-nvlink")) return "vgpu-nvlink-version";
  if (!vm.settings.linux_guest) return "vgpu-nvlink-guest-os";
  const bool p2p_lost =
      vm.settings.unified_memory && vm.gpus.size() > 1 && !all_of_hopper_or_newer(vm, host);
  return p2p_lost ? std::optional("unified-memory-no-nvlink") : std::nullopt;
}

std::vector<std::optional<std::size_t>> nvlink_reach(const VirtualMachine& vm,
                                                     const HostInventory& host,
                                                     const Versions& versions,
                                                     std::string_view version) {
  std::vector<std::optional<std::size_t>> reach(vm.gpus.size());
  if (nvlink_bar(vm, host, versions, version)) return reach;
  if (vm.mode == GpuMode::kVgpu && host.nvswitch) return vm.nvlink_group;
  for (std::size_t g = 0; g < reach.size(); ++g) {
    if (vm.mode != GpuMode::kVgpu || is_whole_vgpu(vm, g)) reach[g] = 0;
  }
  return reach;
}

std::optional<PickOdds> pick_odds(const VirtualMachine& vm, const HostInventory& host,
                                  const std::vector<VirtualMachine>& vms) {
  std::vector<std::size_t> mine;
  for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
    if (!vm.nvlink_group[g] && is_whole_vgpu(vm, g)) mine.push_back(vm.gpus[g]);
  }
  constexpr std::size_t kMostGpus = 16;
  if (mine.size() < 2 || host.gpus.size() > kMostGpus) return std::nullopt;
  const std::vector<bool> held = held_for_good(vm, host, vms);
  std::vector<std::size_t> eligible;
  for (std::size_t gpu = 0; gpu < host.gpus.size(); ++gpu) {
    if (!held[gpu] && host.boards[gpu] == host.boards[mine.front()]) eligible.push_back(gpu);
  }
  if (eligible.size() < mine.size()) return std::nullopt;
  PickOdds odds{mine.size() * (mine.size() - 1) / 2, joined_pairs(host, mine), 0, 0};
  std::vector<bool> picked(eligible.size(), false);
  std::fill(picked.begin(), picked.begin() + static_cast<std::ptrdiff_t>(mine.size()), true);
  bool differ = false;
  do {
    std::vector<std::size_t> choice;
    for (std::size_t e = 0; e < eligible.size(); ++e) {
      if (picked[e]) choice.push_back(eligible[e]);
    }
    const std::size_t joined = joined_pairs(host, choice);
    differ |= joined != odds.joined;
    ++odds.choices;
    if (joined >= std::max<std::size_t>(odds.joined, 1)) ++odds.as_good;
  } while (std::prev_permutation(picked.begin(), picked.end()));
  return differ ? std::optional(odds) : std::nullopt;
}

}  // namespace vgsim::vsphere
