#include "models/training/gpu_rates.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>

#include "models/calibration/parameters.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::training {
namespace {

struct Share {
  double value = 1.0;
  bool of_matrix_products = false;
};

/// Causal attention leaves out the half of the scores that is masked, and recomputes them going
/// backward, where FlashAttention does it: five products for two. Source: T. Dao,
/// FlashAttention-2, 2023.
void count_scores(const TrainingJob& job, const topology::GpuModel& gpu,
                  const calibration::Parameters& parameters, ComputeRates& rates) {
  if (!job.flash_attention) return;
  const auto own = topology::generation_of(static_cast<int>(gpu.compute_capability));
  const std::string_view generation = topology::word_of(own);
  const bool new_enough = own >= topology::generation_called("hopper");
  const std::int64_t version = job.flash_version.value_or(new_enough ? 3 : 2);
  const double share = parameters.number(fmt::format("{}_flash_{}_share", generation, version));
  rates.score_cost = (job.network->transformer->causal ? 0.5 : 1.0) *
                     parameters.number(matrix_share_of(gpu)) / share;
  rates.score_backward_ratio = 2.5;
}

/// The share of its peak that a GPU reaches: said by the user, or by the network's file, or that of
/// matrix products on GPUs of its generation.
std::optional<Share> share_of_peak(const TrainingJob& job, const topology::GpuModel& gpu,
                                   const calibration::Parameters& parameters) {
  if (job.matrix_share) return Share{*job.matrix_share, true};
  if (job.achieved_share) return Share{*job.achieved_share, false};
  const auto& shares = job.network->achieved_share;
  const auto found = shares.find(job.precision);
  if (found != shares.end()) {
    return Share{found->second.value * parameters.number("achieved_share_factor"), false};
  }
  if (!job.network->transformer) return std::nullopt;
  return Share{parameters.number(matrix_share_of(gpu)), true};
}

}  // namespace

std::string matrix_share_of(const topology::GpuModel& gpu) {
  const auto generation = topology::generation_of(static_cast<int>(gpu.compute_capability));
  return fmt::format("{}_matrix_share", topology::word_of(generation));
}

tl::expected<ComputeRates, NotStated> gpu_rates(const TrainingJob& job,
                                                const topology::GpuModel& gpu, bool ideal,
                                                const calibration::Parameters& parameters) {
  ComputeRates rates;
  rates.memory_bytes_per_second = Ratio(gpu.memory_bandwidth.value.count()) *
                                  exact_share(parameters.number("device_memory_share"));
  if (job.network->forward(job.tokens) == Flops{0}) return rates;
  const auto peak = gpu.peak.find(job.precision);
  if (peak == gpu.peak.end()) {
    return tl::unexpected(
        NotStated{fmt::format("{} has no {} peak in the catalogue", gpu.name, job.precision), ""});
  }
  const auto share = share_of_peak(job, gpu, parameters);
  if (!share) {
    return tl::unexpected(
        NotStated{fmt::format("{} has no achieved share for {}", job.network->name, job.precision),
                  "\"achieved_share\" in the job"});
  }
  rates.flops_per_second = Ratio(peak->second.value.count()) * exact_share(share->value);
  if (ideal) return rates;
  if (share->of_matrix_products) {
    rates.traffic_per_kept_element =
        job.state.activation * parameters.number("traffic_per_kept_byte");
    rates.product_overhead = parameters.time("matrix_product_overhead");
    if (job.network->transformer) count_scores(job, gpu, parameters, rates);
  }
  rates.kernel_gap = parameters.time("kernel_gap");
  if (!job.cuda_graphs) {
    rates.launch_interval = job.launch_interval.value_or(parameters.time("kernel_launch_interval"));
  }
  return rates;
}

}  // namespace vgsim::training
