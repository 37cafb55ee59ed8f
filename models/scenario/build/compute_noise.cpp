#include "models/scenario/build/compute_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/scenario/read/library.hpp"
#include "models/training/slowest_rank.hpp"
#include "models/training/virtualization.hpp"

namespace vgsim::scenario {
namespace {

SimTime backward_of(const training::ComputeTimes& times) {
  return std::accumulate(times.backward.begin(), times.backward.end(), SimTime{0});
}

SimTime stretch_backward(training::ComputeTimes& times, double factor) {
  const SimTime before = backward_of(times);
  for (SimTime& part : times.backward) part = training::stretched(part, factor);
  return backward_of(times) - before;
}

}  // namespace

double slowest_factor(const Placement& placement, const Library& library) {
  const std::size_t ranks = placement.ranks.ranks();
  if (placement.cluster.idealised.ideal_computing || placement.job.variability.compute_sigma > 0)
    return 1.0;
  const auto passes = static_cast<double>(placement.job.training->parallelism.micro_batches);
  return 1 + library.parameters.number("step_jitter") / std::sqrt(passes) *
                 training::expected_largest_deviation(ranks);
}

void wait_for_slowest(const Placement& placement, const Library& library,
                      PreparedTraining& prepared) {
  const double factor = slowest_factor(placement, library);
  if (factor == 1.0) return;
  for (std::size_t r = 0; r < prepared.step.compute.size(); ++r) {
    training::ComputeTimes& times = prepared.step.compute[r];
    const SimTime forward = times.forward;
    times.forward = training::stretched(times.forward, factor);
    const SimTime added = times.forward - forward + stretch_backward(times, factor);
    if (added == SimTime{0}) continue;
    prepared.losses[r].push_back(
        {training::kSlowestRank, added, library.parameters.describe("step_jitter")});
  }
}

double overlap_slowdown(const Placement& placement, const Library& library) {
  if (placement.cluster.idealised.ideal_computing) return 0.0;
  const auto host = [&](const JobMachine& machine) {
    return placement.cluster.machines[machine.machine].host;
  };
  const auto& machines = placement.job.machines;
  const bool one_host = std::all_of(machines.begin(), machines.end(), [&](const auto& machine) {
    return host(machine) == host(machines.front());
  });
  if (!one_host) return library.parameters.number("overlap_slowdown_between_hosts");
  const vsphere::GuestView& view = placement.views.front();
  const auto gpu = library.catalog.gpus.find(placement.cluster.topology.node(view.gpu(0)).model);
  if (gpu == library.catalog.gpus.end() || gpu->second.multiprocessors == 0) return 0.0;
  return std::min(1.0, library.parameters.number("multiprocessors_per_channel") *
                           static_cast<double>(placement.ranks.decision().channels) /
                           static_cast<double>(gpu->second.multiprocessors));
}

void slow_by_traffic(const Placement& placement, const Library& library, SimTime hidden,
                     PreparedTraining& prepared) {
  const double lost = to_seconds(hidden) * overlap_slowdown(placement, library);
  if (lost <= 0) return;
  for (std::size_t r = 0; r < prepared.step.compute.size(); ++r) {
    training::ComputeTimes& times = prepared.step.compute[r];
    const SimTime backward = backward_of(times);
    if (backward == SimTime{0}) continue;
    prepared.slowed_by_traffic[r] = stretch_backward(times, 1 + lost / to_seconds(backward));
  }
}

}  // namespace vgsim::scenario
