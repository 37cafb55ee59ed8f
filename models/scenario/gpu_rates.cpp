#include "models/scenario/gpu_rates.hpp"

#include <fmt/core.h>

#include <array>

#include "models/collectives/step_costs.hpp"
#include "topology/host_input.hpp"

namespace vgsim::scenario {
namespace {

struct Share {
  double value = 1.0;
  bool of_matrix_products = false;
};

/// The share of its peak that a GPU reaches: said by the user, or by the network's file, or that of
/// matrix products on GPUs of its generation.
Share share_of_peak(const Placement& placement, const Library& library,
                    const topology::GpuModel& gpu, input::Diagnostics& diagnostics) {
  const TrainingJob& job = *placement.job.training;
  if (job.matrix_share) return {*job.matrix_share, true};
  if (job.achieved_share) return {*job.achieved_share, false};
  const auto& shares = job.network->achieved_share;
  const auto found = shares.find(job.precision);
  if (found != shares.end()) return {found->second.value, false};
  if (job.network->transformer && job.parallelism) {
    static constexpr std::array kNames{"volta", "ampere", "hopper", "blackwell"};
    const auto generation = static_cast<std::size_t>(
        collectives::generation_of(static_cast<int>(gpu.compute_capability)));
    return {library.parameters.number(fmt::format("{}_matrix_share", kNames[generation])), true};
  }
  topology::report(diagnostics, placement.job.value,
                   fmt::format("{} has no achieved share for {}", job.network->name, job.precision),
                   "\"achieved_share\" in the job");
  return {};
}

}  // namespace

training::ComputeRates gpu_rates(const Placement& placement, const Library& library,
                                 const vsphere::GuestView& view, std::size_t gpu, bool computes,
                                 input::Diagnostics& diagnostics) {
  const topology::Node& node = placement.cluster.topology.node(view.gpu(gpu));
  const auto model = library.catalog.gpus.find(node.model);
  if (model == library.catalog.gpus.end()) {
    topology::report(diagnostics, placement.job.value,
                     fmt::format("the model of {} is not known", node.name),
                     "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
    return {};
  }
  const Exact memory = Exact(model->second.memory_bandwidth.value.count()) *
                       exact_share(library.parameters.number("device_memory_share"));
  if (!computes) return {1, memory, false};
  const std::string& precision = placement.job.training->precision;
  const auto peak = model->second.peak.find(precision);
  if (peak == model->second.peak.end()) {
    topology::report(
        diagnostics, placement.job.value,
        fmt::format("{} has no {} peak in the catalogue", model->second.name, precision));
    return {};
  }
  const Share share = share_of_peak(placement, library, model->second, diagnostics);
  return {Exact(peak->second.value.count()) * exact_share(share.value), memory,
          share.of_matrix_products};
}

}  // namespace vgsim::scenario
