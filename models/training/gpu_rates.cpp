#include "models/training/gpu_rates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "models/calibration/parameters.hpp"
#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::training {
namespace {

struct Share {
  double value = 1.0;
  bool of_products = false;  ///< what layers move and launch beside them is counted apart
};

/// Of the peak, that the largest matrix products reach alone on the GPU; of one whose
/// multiprocessors the catalogue does not tell, in their place that of all.
double share_alone(const std::optional<kernels::KernelGpu>& gpu,
                   const kernels::ProductConstants& constants) {
  return gpu ? std::min(gpu->sustained_share, constants.math_share) : constants.math_share;
}

/// The share is known first; with it how much longer products take than alone, and scores.
class Rates {
 public:
  Rates(const TrainingJob& job, const topology::GpuModel& gpu,
        const calibration::Parameters& parameters)
      : job_(job),
        parameters_(parameters),
        generation_(topology::generation_of(static_cast<int>(gpu.compute_capability))),
        constants_(kernels::product_constants(parameters)),
        kernel_gpu_(kernels::kernel_gpu(gpu, job.precision, parameters)),
        alone_(share_alone(kernel_gpu_, constants_)) {}

  /// Said by the user, or by the network's file, or what matrix products reach alone and keep among
  /// the kernels of a step, or that of other layers.
  [[nodiscard]] Share share() const {
    if (job_.matrix_share) return {*job_.matrix_share, true};
    if (job_.achieved_share) return {*job_.achieved_share, false};
    const auto& shares = job_.network->achieved_share;
    const auto found = shares.find(job_.precision);
    if (found != shares.end()) return {found->second.value, false};
    if (job_.network->transformer) return {alone_ * kept(), true};
    const char* name = job_.precision == "fp32" ? "fp32_layer_share" : "layer_share";
    return {parameters_.number(name), true};
  }

  [[nodiscard]] std::optional<ProductTimes> products(double share) const {
    if (!kernel_gpu_ || !job_.network->transformer) return std::nullopt;
    const double bytes = job_.precision == "fp8" ? 1.0 : job_.precision == "fp16" ? 2.0 : 4.0;
    return ProductTimes(*kernel_gpu_, constants_, alone_ / share, bytes);
  }

  /// Causal attention leaves out the half of the scores that is masked, and recomputes them going
  /// backward, where FlashAttention does it: five products for two. Source: T. Dao,
  /// FlashAttention-2, 2023.
  void count_scores(double share, ComputeRates& rates) const {
    if (!job_.flash_attention || !job_.network->transformer) return;
    const bool new_enough = generation_ >= topology::generation_called("hopper");
    const std::int64_t version = job_.flash_version.value_or(new_enough ? 3 : 2);
    const double of_peak = parameters_.number(
        fmt::format("{}_flash_{}_share", topology::word_of(generation_), version));
    rates.score_cost = (job_.network->transformer->causal ? 0.5 : 1.0) * share / of_peak;
    rates.score_backward_ratio = 2.5;
  }

 private:
  [[nodiscard]] double kept() const {
    return parameters_.number(fmt::format("{}_product_share", topology::word_of(generation_)));
  }

  const TrainingJob& job_;
  const calibration::Parameters& parameters_;
  topology::GpuGeneration generation_;
  kernels::ProductConstants constants_;
  std::optional<kernels::KernelGpu> kernel_gpu_;
  double alone_;
};

}  // namespace

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
  const Rates found(job, gpu, parameters);
  const Share share = found.share();
  rates.flops_per_second = Ratio(peak->second.value.count()) * exact_share(share.value);
  if (ideal) {
    rates.slow_down(job.compute_factor);
    return rates;
  }
  if (share.of_products) {
    rates.traffic_per_kept_element =
        job.state.activation * parameters.number("traffic_per_kept_byte");
    rates.products = found.products(share.value);
    found.count_scores(share.value, rates);
  }
  rates.kernel_gap = parameters.time("kernel_gap");
  const bool loses = share.of_products && !job.network->transformer && !job.tuned;
  rates.slow_down(job.compute_factor / (loses ? parameters.number("usual_software_share") : 1.0));
  if (!job.cuda_graphs) {
    rates.launch_interval = job.launch_interval.value_or(parameters.time("kernel_launch_interval"));
  }
  return rates;
}

}  // namespace vgsim::training
