#include "models/scenario/build/gpu_rates.hpp"

#include <fmt/core.h>

#include <string>

#include "models/scenario/read/library.hpp"
#include "topology/gpu_generation.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

struct Share {
  double value = 1.0;
  bool of_matrix_products = false;
};

/// Causal attention leaves out the half of the scores that is masked, and recomputes them going
/// backward, where FlashAttention does it: five products for two. Source: T. Dao,
/// FlashAttention-2, 2023.
void count_scores(const TrainingJob& job, const Library& library, const topology::GpuModel& gpu,
                  training::ComputeRates& rates) {
  if (!job.flash_attention) return;
  const auto own = topology::generation_of(static_cast<int>(gpu.compute_capability));
  const std::string_view generation = topology::word_of(own);
  const bool new_enough = own >= topology::generation_called("hopper");
  const std::int64_t version = job.flash_version.value_or(new_enough ? 3 : 2);
  const double share =
      library.parameters.number(fmt::format("{}_flash_{}_share", generation, version));
  rates.score_cost = (job.network->transformer->causal ? 0.5 : 1.0) *
                     library.parameters.number(matrix_share_of(gpu)) / share;
  rates.score_backward_ratio = 2.5;
}

/// The share of its peak that a GPU reaches: said by the user, or by the network's file, or that of
/// matrix products on GPUs of its generation.
Share share_of_peak(const Placement& placement, const Library& library,
                    const topology::GpuModel& gpu, input::Diagnostics& diagnostics) {
  const TrainingJob& job = *placement.job.training;
  if (job.matrix_share) return {*job.matrix_share, true};
  if (job.achieved_share) return {*job.achieved_share, false};
  const auto& shares = job.network->achieved_share;
  const auto found = shares.find(job.precision);
  if (found != shares.end()) {
    return {found->second.value * library.parameters.number("achieved_share_factor"), false};
  }
  if (job.network->transformer) {
    return {library.parameters.number(matrix_share_of(gpu)), true};
  }
  topology::report(diagnostics, placement.job.origin,
                   fmt::format("{} has no achieved share for {}", job.network->name, job.precision),
                   "\"achieved_share\" in the job");
  return {};
}

}  // namespace

std::string matrix_share_of(const topology::GpuModel& gpu) {
  const auto generation = topology::generation_of(static_cast<int>(gpu.compute_capability));
  return fmt::format("{}_matrix_share", topology::word_of(generation));
}

training::ComputeRates gpu_rates(const Placement& placement, const Library& library,
                                 const vsphere::GuestView& view, std::size_t gpu, bool computes,
                                 input::Diagnostics& diagnostics) {
  const topology::Node& node = placement.cluster.topology.node(view.gpu(gpu));
  const auto model = library.catalog.gpus.find(node.model);
  if (model == library.catalog.gpus.end()) {
    topology::report(diagnostics, placement.job.origin,
                     fmt::format("the model of {} is not known", node.name),
                     "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
    return {};
  }
  const Ratio memory = Ratio(model->second.memory_bandwidth.value.count()) *
                       exact_share(library.parameters.number("device_memory_share"));
  training::ComputeRates rates;
  rates.memory_bytes_per_second = memory;
  if (!computes) return rates;
  const std::string& precision = placement.job.training->precision;
  const auto peak = model->second.peak.find(precision);
  if (peak == model->second.peak.end()) {
    topology::report(
        diagnostics, placement.job.origin,
        fmt::format("{} has no {} peak in the catalogue", model->second.name, precision));
    return {};
  }
  const Share share = share_of_peak(placement, library, model->second, diagnostics);
  rates.flops_per_second = Ratio(peak->second.value.count()) * exact_share(share.value);
  if (placement.cluster.idealised.ideal_computing) return rates;
  const TrainingJob& job = *placement.job.training;
  if (share.of_matrix_products) {
    rates.traffic_per_kept_element =
        job.state.activation * library.parameters.number("traffic_per_kept_byte");
    rates.product_overhead = library.parameters.time("matrix_product_overhead");
    if (job.network->transformer) count_scores(job, library, model->second, rates);
  }
  rates.kernel_gap = library.parameters.time("kernel_gap");
  if (!job.cuda_graphs) {
    rates.launch_interval =
        job.launch_interval.value_or(library.parameters.time("kernel_launch_interval"));
  }
  return rates;
}

}  // namespace vgsim::scenario
