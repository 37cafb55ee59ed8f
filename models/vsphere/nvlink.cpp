#include "models/vsphere/nvlink.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

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
                         (is_other && (other.gpus_named || other.mode->is_exclusive));
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

std::optional<Restriction> nvlink_restriction(const VirtualMachine& vm, const HostInventory& host,
                                              const Versions& versions, std::string_view version) {
  return vm.mode->nvlink_restriction ? vm.mode->nvlink_restriction(vm, host, versions, version)
                                     : std::nullopt;
}

NvlinkReach nvlink_reach(const VirtualMachine& vm, const HostInventory& host,
                         const Versions& versions, std::string_view version) {
  if (nvlink_restriction(vm, host, versions, version)) return NvlinkReach(vm.gpus.size());
  return vm.mode->nvlink_reach ? vm.mode->nvlink_reach(vm, host) : NvlinkReach(vm.gpus.size(), 0);
}

std::optional<PickOdds> pick_odds(const VirtualMachine& vm, const HostInventory& host,
                                  const std::vector<VirtualMachine>& vms) {
  std::vector<std::size_t> mine;
  for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
    if (!vm.nvlink_group[g] && vm.is_whole_vgpu(g)) mine.push_back(vm.gpus[g]);
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
