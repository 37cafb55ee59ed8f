#include "models/vsphere/gpu_sharing.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

constexpr SimTime kSlice{2'000'000'000};
constexpr SimTime kShortSlice{1'000'000'000};
constexpr std::int64_t kMostWithLongSlices = 8;

/// The share of a MIG-backed vGPU. `slices_in_use`: slices of the others, weighted by their load.
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
    if (other.host != vm.host) continue;
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

/// Sharing of a MIG instance by time-sliced vGPUs: an instance is filled before the next one, so
/// those of one profile on a GPU share it in the order of their VMs.
double time_share_on_instance(const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                              std::size_t position, Scheduler scheduler) {
  const Profile& profile = *vm.profiles[position];
  std::vector<std::pair<const VirtualMachine*, std::size_t>> alike;
  std::size_t own = 0;
  for (const VirtualMachine& other : vms) {
    if (other.host != vm.host) continue;
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
    if (other.host != host) continue;
    for (std::size_t g = 0; g < other.gpus.size(); ++g) {
      if (other.gpus[g] != gpu || other.profiles[g] == nullptr) continue;
      if (&other == vm && g == position) continue;
      tenants.push_back({other.settings.gpu_load.value_or(1.0)});
    }
  }
  return tenants;
}

GpuShare share_of_time(const SharedGpu& gpu) {
  const std::size_t index = gpu.vm.gpus[gpu.position];
  std::vector<Tenant> tenants = others_on(gpu.vms, gpu.vm.host, index, &gpu.vm, gpu.position);
  tenants.insert(tenants.begin(), Tenant{});
  const VgpuSettings& settings = gpu.host().settings.vgpu;
  const std::int64_t per_gpu = gpu.profile().per_gpu;
  GpuShare share;
  share.compute = share.memory = share_of_first(settings.scheduler, tenants, per_gpu);
  share.wait =
      longest_wait(settings.scheduler, tenants, per_gpu, time_slice(settings, gpu.profile()));
  return share;
}

GpuShare share_of_slices(const SharedGpu& gpu) {
  const Board& board = *gpu.host().boards[gpu.vm.gpus[gpu.position]];
  GpuShare share = slices_of(gpu.profile(), board, slices_in_use(gpu.vms, gpu.vm, gpu.position));
  if (gpu.profile().vgpus_per_instance == 1) return share;
  const double time_share =
      time_share_on_instance(gpu.vms, gpu.vm, gpu.position, gpu.host().settings.vgpu.scheduler);
  share.compute *= time_share;
  share.memory *= time_share;
  return share;
}

}  // namespace

const GpuSharing kBareGpu{};
const GpuSharing kPassedGpu{.title = "passthrough", .compute_share = "passthrough_compute_share"};
const GpuSharing kTimeSliced{.title = "vGPU",
                             .compute_share = "vgpu_compute_share",
                             .is_time_sliced = true,
                             .share = &share_of_time};
const GpuSharing kMigBacked{.title = "MIG-backed vGPU",
                            .compute_share = "mig_compute_share",
                            .is_split = true,
                            .share = &share_of_slices};

const GpuSharing& sharing_of(const VirtualMachine& vm, std::size_t position) {
  const Profile* profile = position < vm.profiles.size() ? vm.profiles[position] : nullptr;
  const bool mig = profile != nullptr && profile->mig && vm.mode->mig_sharing != nullptr;
  return mig ? *vm.mode->mig_sharing : *vm.mode->sharing;
}

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
  // Tenants are served in ascending order of work; unused time goes to the others.
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
  const bool is_time_sliced =
      position < vm.profiles.size() && sharing_of(vm, position).is_time_sliced;
  return is_time_sliced ? vm.profiles[position] : nullptr;
}

bool has_time_slices(const std::vector<HostInventory>& hosts,
                     const std::vector<VirtualMachine>& vms, const VirtualMachine& vm,
                     std::size_t position) {
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
      const GpuSharing& sharing = sharing_of(vm, g);
      if (sharing.share != nullptr) vm.shares[g] = sharing.share({hosts, vms, vm, g});
    }
  }
}

}  // namespace vgsim::vsphere
