#include "models/scenario/build/shared_gpus.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/training/compute.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

using vsphere::Profile;
using vsphere::Scheduler;
using vsphere::time_sliced;
using vsphere::VirtualMachine;

/// Number of time slices per step that are simulated individually.
constexpr std::int64_t kMostSlicesOfStep = 2000;
/// Number of parts of a tenant's work with gaps that waits for its slot.
constexpr std::int64_t kPiecesOfSlot = 4;

/// Load of a vGPU outside the job.
std::optional<BackgroundLoad> load_of(const VirtualMachine& vm, SimTime usual) {
  const double share = vm.settings.gpu_load.value_or(1.0);
  if (share <= 0.0) return std::nullopt;
  const SimTime burst = vm.settings.gpu_burst.value_or(usual);
  return BackgroundLoad{burst, std::max(burst, training::stretched(burst, 1.0 / share)),
                        SimTime{0}};
}

/// Spreads the start times of loads evenly over their periods, the first one after this share of a
/// period. Loads of equal periods keep their phase difference: with random phases one layout with
/// many overlaps would represent all, and change the time of a step by several percent.
void every_host_alone(SlicedDevice& device, double shift) {
  std::vector<BackgroundLoad*> loads;
  for (Tenant& tenant : device.tenants) {
    if (tenant.load) loads.push_back(&*tenant.load);
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const double place = shift + static_cast<double>(i) / static_cast<double>(loads.size());
    loads[i]->phase = training::stretched(loads[i]->period, place - std::floor(place));
  }
}

/// Creates a device for the GPU of each rank, with a tenant per vGPU.
class Sharing {
 public:
  Sharing(const Cluster& cluster, const calibration::Parameters& parameters,
          const std::set<std::size_t>& machines, std::uint64_t seed)
      : cluster_(cluster), parameters_(parameters), of_job_(machines), seed_(seed) {}

  void assign_tenant(const RankPlace& rank) {
    const VirtualMachine& vm = kind_of(rank.machine);
    const std::size_t position = position_in_machine(rank.machine, rank.gpu);
    if (!vsphere::has_time_slices(cluster_.inventory, cluster_.kinds, vm, position)) {
      shared_.slots.emplace_back();
      return;
    }
    const std::size_t device = device_of(cluster_.machines[rank.machine].host, rank.gpu, vm);
    const auto& tenants = tenants_[device];
    const auto found = std::find(tenants.begin(), tenants.end(), std::pair{rank.machine, position});
    const auto tenant = static_cast<std::size_t>(found - tenants.begin());
    const SimTime work = std::max(rank.passes - rank.held_up, SimTime{0});
    if (rank.kernels > 0) {
      shared_.devices[device].tenants[tenant].kernel = SimTime{work.count() / rank.kernels};
    }
    lengthen(shared_.devices[device], rank.passes);
    shared_.slots.push_back(SlicingPlan::Slot{static_cast<std::uint32_t>(device),
                                              static_cast<std::uint32_t>(tenant),
                                              WorkLane::kKernels});
  }

  /// Splits the gaps of ranks by the time slices of their devices.
  SharedGpus finish(const std::vector<RankPlace>& ranks) && {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      auto& gaps = shared_.gaps.emplace_back();
      if (shared_.slots[r]) gaps = gaps_of(ranks[r], shared_.devices[shared_.slots[r]->device]);
    }
    return std::move(shared_);
  }

 private:
  [[nodiscard]] const VirtualMachine& kind_of(std::size_t machine) const {
    return cluster_.kinds[cluster_.machines[machine].kind];
  }

  [[nodiscard]] std::size_t position_in_machine(std::size_t machine, std::size_t gpu) const {
    const auto& gpus = kind_of(machine).gpus;
    return static_cast<std::size_t>(std::find(gpus.begin(), gpus.end(), gpu) - gpus.begin());
  }

  std::size_t device_of(std::size_t host, std::size_t gpu, const VirtualMachine& vm) {
    const auto [it, is_new] = device_at_.try_emplace({host, gpu}, shared_.devices.size());
    if (is_new) add_device(host, gpu, vm);
    return it->second;
  }

  static void lengthen(SlicedDevice& device, SimTime passes) {
    const std::int64_t slices = passes.count() / device.slice.count();
    const std::int64_t times = slices / kMostSlicesOfStep + 1;
    device.slice *= times;
    device.switching *= times;
  }

  /// With fixed slots a tenant has its gaps within its slots, otherwise at the end of a time slice.
  static training::LaunchGaps gaps_of(const RankPlace& rank, const SlicedDevice& device) {
    training::LaunchGaps gaps;
    if (rank.passes > SimTime{0}) {
      gaps.share = std::min(1.0, to_seconds(rank.held_up) / to_seconds(rank.passes));
    }
    gaps.piece = device.policy == SlicePolicy::kWorkConserving
                     ? device.slice - device.switching
                     : SimTime{device.slice.count() / kPiecesOfSlot};
    return gaps;
  }

  void add_device(std::size_t host, std::size_t gpu, const VirtualMachine& vm) {
    const vsphere::VgpuSettings& settings = cluster_.inventory[vm.host].settings.vgpu;
    // By location, so that names do not affect the order of time slices.
    const std::uint64_t stream = seed_of(fmt::format("host {} gpu {}", host, gpu), seed_);
    SlicedDevice device;
    std::vector<std::pair<std::size_t, std::size_t>> tenants;  // machine, position of the GPU
    const Profile* profile = nullptr;
    const SimTime burst = parameters_.time("neighbour_burst");
    for (std::size_t m = 0; m < cluster_.machines.size(); ++m) {
      if (cluster_.machines[m].host != host) continue;
      const VirtualMachine& other = kind_of(m);
      for (std::size_t g = 0; g < other.gpus.size(); ++g) {
        if (other.gpus[g] != gpu || time_sliced(other, g) == nullptr) continue;
        // With several sizes, the one with most vGPUs per GPU determines the time slice.
        const Profile* own = time_sliced(other, g);
        if (profile == nullptr || own->per_gpu > profile->per_gpu) profile = own;
        Tenant& tenant = device.tenants.emplace_back();
        if (!of_job_.contains(m)) tenant.load = load_of(other, burst);
        tenants.emplace_back(m, g);
      }
    }
    device.policy = settings.scheduler == Scheduler::kBestEffort ? SlicePolicy::kWorkConserving
                                                                 : SlicePolicy::kFixedSlots;
    device.slice = vsphere::time_slice(settings, *profile);
    device.switching =
        std::min(parameters_.time("vgpu_switch_time"), SimTime{device.slice.count() / 2});
    device.slots = device.tenants.size();
    if (settings.scheduler == Scheduler::kFixedShare) {
      device.slots = std::max(device.slots, static_cast<std::size_t>(profile->per_gpu));
    }
    device.first = static_cast<std::size_t>(random_bits(stream, 0) % device.slots);
    every_host_alone(device, uniform(stream, 1));
    shared_.devices.push_back(std::move(device));
    tenants_.push_back(std::move(tenants));
  }

  const Cluster& cluster_;
  const calibration::Parameters& parameters_;
  const std::set<std::size_t>& of_job_;  ///< machines
  std::uint64_t seed_;
  SharedGpus shared_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> tenants_;  ///< by device
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> device_at_;   ///< by host and GPU
};

}  // namespace

SharedGpus shared_gpus(const Cluster& cluster, const calibration::Parameters& parameters,
                       const std::set<std::size_t>& machines, const std::vector<RankPlace>& ranks,
                       std::uint64_t seed) {
  Sharing sharing(cluster, parameters, machines, seed);
  for (const RankPlace& rank : ranks) sharing.assign_tenant(rank);
  return std::move(sharing).finish(ranks);
}

}  // namespace vgsim::scenario
