#include "models/vsphere/gpu_sharing.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

constexpr SimTime kSlice{2'000'000'000};
constexpr SimTime kShortSlice{1'000'000'000};
constexpr std::int64_t kMostWithLongSlices = 8;

/// Of a MIG-backed vGPU. `slices_in_use`: of the others, by how much of the time they have work.
GpuShare slices_of(const Profile& profile, const Board& board, double slices_in_use) {
  std::int64_t all = 0;
  for (const auto& [name, other] : board.profiles) all = std::max(all, other.compute_slices);
  GpuShare share;
  share.compute = board.compute_share(profile);
  share.memory = board.memory_share(profile);
  share.slices = static_cast<double>(profile.compute_slices) / static_cast<double>(all);
  const auto rest = static_cast<double>(all - profile.compute_slices);
  if (rest > 0) share.neighbours = std::min(1.0, slices_in_use / rest);
  return share;
}

/// Compute slices of the other MIG-backed vGPUs on one GPU, as far as they have work.
double slices_in_use(const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                     std::size_t position) {
  double slices = 0;
  for (const VirtualMachine& other : vms) {
    if (other.host != vm.host || other.mode != GpuMode::kVgpu) continue;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      const bool itself = &other == &vm && g == position;
      if (itself || other.gpus[g] != vm.gpus[position] || other.profiles[g] == nullptr) continue;
      slices += static_cast<double>(other.profiles[g]->compute_slices) /
                static_cast<double>(other.profiles[g]->vgpus_per_instance) *
                other.settings.gpu_load.value_or(1.0);
    }
  }
  return slices;
}

/// Of a MIG instance that several vGPUs use in turns: an instance is filled before the next one, so
/// those of one profile on a GPU share it in the order of their VMs.
double turns_on_instance(const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                         std::size_t position, Scheduler scheduler) {
  const Profile& profile = *vm.profiles[position];
  std::vector<std::pair<const VirtualMachine*, std::size_t>> alike;
  std::size_t own = 0;
  for (const VirtualMachine& other : vms) {
    if (other.host != vm.host || other.mode != GpuMode::kVgpu) continue;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      if (other.gpus[g] != vm.gpus[position] || other.profiles[g] != &profile) continue;
      if (&other == &vm && g == position) own = alike.size();
      alike.emplace_back(&other, g);
    }
  }
  const auto seats = static_cast<std::size_t>(profile.vgpus_per_instance);
  const std::size_t first = own / seats * seats;
  std::vector<Tenant> tenants(1);
  for (std::size_t i = first; i < std::min(first + seats, alike.size()); ++i) {
    if (i != own) tenants.push_back({alike[i].first->settings.gpu_load.value_or(1.0)});
  }
  return share_of_first(scheduler, tenants, profile.vgpus_per_instance);
}

/// The vGPUs on one GPU of a host, without one that is left out.
std::vector<Tenant> others_on(const std::vector<VirtualMachine>& vms, std::size_t host,
                              std::size_t gpu, const VirtualMachine* vm, std::size_t position) {
  std::vector<Tenant> tenants;
  for (const VirtualMachine& other : vms) {
    if (other.host != host || other.mode != GpuMode::kVgpu) continue;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      if (other.gpus[g] != gpu || (&other == vm && g == position)) continue;
      tenants.push_back({other.settings.gpu_load.value_or(1.0)});
    }
  }
  return tenants;
}

}  // namespace

double share_of_first(Scheduler scheduler, const std::vector<Tenant>& tenants,
                      std::int64_t per_gpu) {
  switch (scheduler) {
    case Scheduler::kFixedShare:
      return 1.0 / static_cast<double>(per_gpu);
    case Scheduler::kEqualShare:
      return 1.0 / static_cast<double>(tenants.size());
    case Scheduler::kBestEffort:
      break;
  }
  // Those with the least work are served first; each leaves what it does not need to the rest.
  std::vector<double> demands;
  for (std::size_t i = 1; i < tenants.size(); ++i) demands.push_back(tenants[i].demand);
  std::sort(demands.begin(), demands.end());
  double left = 1.0;
  std::size_t sharers = tenants.size();
  for (const double demand : demands) {
    const double fair = left / static_cast<double>(sharers);
    if (demand >= fair) return fair;
    left -= demand;
    --sharers;
  }
  return left;
}

SimTime longest_wait(Scheduler scheduler, const std::vector<Tenant>& tenants, std::int64_t per_gpu,
                     SimTime slice) {
  std::int64_t before = static_cast<std::int64_t>(tenants.size()) - 1;
  if (scheduler == Scheduler::kFixedShare) before = per_gpu - 1;
  if (scheduler == Scheduler::kBestEffort) {
    before = std::count_if(tenants.begin() + 1, tenants.end(),
                           [](const Tenant& tenant) { return tenant.demand > 0.0; });
  }
  return slice * before;
}

SimTime time_slice(const VgpuSettings& host, const Profile& profile) {
  if (host.time_slice && host.scheduler != Scheduler::kBestEffort) return *host.time_slice;
  return profile.per_gpu > kMostWithLongSlices ? kShortSlice : kSlice;
}

const Profile* time_sliced(const VirtualMachine& vm, std::size_t position) {
  if (vm.mode != GpuMode::kVgpu || position >= vm.profiles.size()) return nullptr;
  const Profile* profile = vm.profiles[position];
  return profile == nullptr || profile->mig ? nullptr : profile;
}

bool takes_turns(const std::vector<HostInventory>& hosts, const std::vector<VirtualMachine>& vms,
                 const VirtualMachine& vm, std::size_t position) {
  const Profile* profile = time_sliced(vm, position);
  if (profile == nullptr) return false;
  const Scheduler scheduler = hosts[vm.host].settings.vgpu.scheduler;
  if (scheduler == Scheduler::kFixedShare && profile->per_gpu > 1) return true;
  std::size_t tenants = 0;
  for (const VirtualMachine& other : vms) {
    if (other.host != vm.host) continue;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      if (other.gpus[g] == vm.gpus[position] && time_sliced(other, g) != nullptr) ++tenants;
    }
  }
  return tenants > 1;
}

double demand_on(const std::vector<VirtualMachine>& vms, std::size_t host, std::size_t gpu) {
  double demand = 0;
  for (const VirtualMachine& vm : vms) {
    for (std::size_t g = 0; vm.host == host && g < vm.gpus.size(); ++g) {
      if (vm.gpus[g] != gpu || time_sliced(vm, g) == nullptr) continue;
      demand += vm.settings.gpu_load.value_or(1.0);
    }
  }
  return demand;
}

void share_gpus(const std::vector<HostInventory>& hosts, std::vector<VirtualMachine>& vms) {
  for (VirtualMachine& vm : vms) {
    vm.shares.assign(vm.gpus.size(), GpuShare{});
    for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
      const Profile* profile = vm.profiles[g];
      if (vm.mode != GpuMode::kVgpu || profile == nullptr) continue;
      const HostInventory& host = hosts[vm.host];
      if (profile->mig) {
        vm.shares[g] = slices_of(*profile, *host.boards[vm.gpus[g]], slices_in_use(vms, vm, g));
        if (profile->vgpus_per_instance > 1) {
          const double turns = turns_on_instance(vms, vm, g, host.settings.vgpu.scheduler);
          vm.shares[g].compute *= turns;
          vm.shares[g].memory *= turns;
        }
        continue;
      }
      std::vector<Tenant> tenants = others_on(vms, vm.host, vm.gpus[g], &vm, g);
      tenants.insert(tenants.begin(), Tenant{});
      const Scheduler scheduler = host.settings.vgpu.scheduler;
      GpuShare& share = vm.shares[g];
      share.compute = share.memory = share_of_first(scheduler, tenants, profile->per_gpu);
      share.wait = longest_wait(scheduler, tenants, profile->per_gpu,
                                time_slice(host.settings.vgpu, *profile));
    }
  }
}

}  // namespace vgsim::vsphere
