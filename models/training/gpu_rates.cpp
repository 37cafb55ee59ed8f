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
  bool of_products = false;  ///< memory traffic and launches of layers are counted separately
};

/// Matrix products of a transformer on a GPU, each alone.
struct Products {
  kernels::ProductConstants constants;
  std::optional<kernels::KernelGpu>
      gpu;  ///< nothing: the catalogue does not state its multiprocessors
  double sustained_share = 1.0;

  /// The share of the peak that the largest products reach.
  [[nodiscard]] double share() const { return std::min(sustained_share, constants.math_share); }
};

/// Determines the share first, because the slowdown of products and the scores depend on it.
class Rates {
 public:
  Rates(const TrainingJob& job, const topology::GpuModel& gpu,
        const calibration::Parameters& parameters)
      : job_(job),
        parameters_(parameters),
        score_speed_(score_speed(job, gpu, parameters)),
        generation_(topology::generation_of(static_cast<int>(gpu.compute_capability))) {
    if (!job.network->transformer) return;
    products_ = {kernels::product_constants(parameters),
                 kernels::kernel_gpu(gpu, job.precision, parameters),
                 kernels::sustained_share(gpu, job.precision, parameters)};
  }

  /// The share stated by the user or by the network's file; else the share of matrix products
  /// alone, reduced by the other kernels of a step, or the share of other layers.
  [[nodiscard]] Share share() const {
    if (job_.matrix_share) return {*job_.matrix_share, true};
    if (job_.achieved_share) return {*job_.achieved_share, false};
    const auto& shares = job_.network->achieved_share;
    const auto found = shares.find(job_.precision);
    if (found != shares.end()) return {found->second.value, false};
    if (products_) return {std::min(products_->share() * kept(), 1.0), true};
    const char* name = job_.precision == "fp32" ? "fp32_layer_share" : "layer_share";
    return {parameters_.number(name), true};
  }

  [[nodiscard]] std::optional<ProductTimes> products(double share) const {
    if (!products_ || !products_->gpu) return std::nullopt;
    return ProductTimes(*products_->gpu, products_->constants, products_->share() / share,
                        kernels::operand_bytes(job_.precision));
  }

  /// FlashAttention skips the masked half of causal scores and recomputes them in the backward
  /// pass: five products instead of two. Source: T. Dao, FlashAttention-2, 2023. Tuned software
  /// has version 3 or cuDNN's kernel from Hopper on, PyTorch itself version 2. Scores have 16 bits
  /// also where products have 8. Returns the share of the job's peak that scores reach, or 0.
  double count_scores(double share, ComputeRates& rates) const {
    if (!job_.flash_attention || !job_.network->transformer) return 0.0;
    const bool newest =
        generation_ >= topology::generation_called("hopper") && job_.tuned.value_or(false);
    const std::int64_t version = job_.flash_version.value_or(newest ? 3 : 2);
    const double of_peak =
        score_speed_ * parameters_.number(fmt::format("{}_flash_{}_share",
                                                      topology::word_of(generation_), version));
    rates.score_cost = (job_.network->transformer->causal ? 0.5 : 1.0) * share / of_peak;
    rates.score_backward_ratio = 2.5;
    return of_peak;
  }

  /// Time of the passes divided by the time of their kernels.
  [[nodiscard]] double slowdown(bool of_products) const {
    const bool fused = !of_products || products_ || job_.tuned.value_or(false);
    return job_.compute_factor / (fused ? 1.0 : parameters_.number("usual_software_share"));
  }

 private:
  [[nodiscard]] double kept() const {
    return parameters_.number(fmt::format("{}_product_share", topology::word_of(generation_)));
  }

  /// The rate of scores relative to the same share of the peak of the job's products: scores are
  /// computed in 16 bits, or in fp8 if the job states so.
  static double score_speed(const TrainingJob& job, const topology::GpuModel& gpu,
                            const calibration::Parameters& parameters) {
    if (kernels::operand_bytes(job.precision) >= 2) return 1;
    const auto rate = [&](const std::string& precision) {
      return static_cast<double>(gpu.peak.at(precision).value.count());
    };
    const double faster = job.fp8_attention ? parameters.number("fp8_attention_speed") : 1;
    return faster * rate("fp16") / rate(job.precision);
  }

  const TrainingJob& job_;
  const calibration::Parameters& parameters_;
  double score_speed_;  ///< see score_speed()
  topology::GpuGeneration generation_;
  std::optional<Products> products_;  ///< of transformers
};

/// Usual software copies gradients to buckets or fusion buffers, and results back.
bool copies_gradients(const TrainingJob& job) {
  const bool is_tuned = job.tuned.value_or(job.network->transformer && job.flash_attention);
  return job.data_parallel_only && job.parallelism.data > 1 && !is_tuned;
}

}  // namespace

bool is_like_measured(const topology::GpuModel& gpu, const topology::Catalog& catalog) {
  constexpr double kOtherClocks = 1.25;
  const auto of_multiprocessor = [](const topology::GpuModel& each) {
    const auto peak = each.peak.find("fp16");
    return peak == each.peak.end() || each.multiprocessors == 0
               ? 0.0
               : static_cast<double>(peak->second.value.count()) /
                     static_cast<double>(each.multiprocessors);
  };
  const double own = of_multiprocessor(gpu);
  return gpu.validated ||
         std::any_of(catalog.gpus.begin(), catalog.gpus.end(), [&](const auto& entry) {
           const topology::GpuModel& other = entry.second;
           const double its = of_multiprocessor(other);
           return other.validated && other.compute_capability == gpu.compute_capability &&
                  own > 0 && its > 0 && std::max(own / its, its / own) <= kOtherClocks;
         });
}

double least_multiplied(const TrainingJob& job) {
  return job.tokens > 0 || job.precision != "fp32" ? 1.0 : 1 / 2.25;
}

double traffic_per_kept_byte(const TrainingJob& job, const calibration::Parameters& parameters) {
  const bool is_fused = !job.network->transformer || job.tuned.value_or(job.flash_attention);
  return parameters.number(is_fused ? "traffic_per_kept_byte" : "unfused_traffic_per_kept_byte");
}

tl::expected<ComputeRates, MissingFigure> gpu_rates(const TrainingJob& job,
                                                    const topology::GpuModel& gpu, bool ideal,
                                                    const calibration::Parameters& parameters) {
  ComputeRates rates;
  rates.memory_bytes_per_second = Ratio(gpu.memory_bandwidth.value.count()) *
                                  exact_share(parameters.number("device_memory_share"));
  if (job.network->forward(job.tokens) == Flops{0}) return rates;
  const auto peak = gpu.peak.find(job.precision);
  if (peak == gpu.peak.end()) {
    const bool needs_blackwell = job.precision == "mxfp8" || job.precision == "nvfp4";
    return tl::unexpected(
        MissingFigure{fmt::format("{} has no {} peak in the catalogue", gpu.name, job.precision),
                      needs_blackwell ? "a Blackwell GPU, or another \"precision\"" : ""});
  }
  const Rates found(job, gpu, parameters);
  const Share share = found.share();
  rates.flops_per_second = Ratio(peak->second.value.count()) * exact_share(share.value);
  // No factor lets operations exceed the peak.
  double most_of_peak = share.value * least_multiplied(job);
  if (ideal) {
    // Skipped scores are not a loss to idealise.
    if (share.of_products) {
      most_of_peak = std::max(most_of_peak, found.count_scores(share.value, rates));
    }
    rates.slow_down(job.compute_factor, most_of_peak);
    return rates;
  }
  if (share.of_products) {
    rates.traffic_per_kept_element = job.state.activation * traffic_per_kept_byte(job, parameters);
    // Tuned software writes weights in both types in the optimizer.
    const bool casts = job.state.by_autocast && !job.tuned.value_or(false);
    if (casts) rates.traffic_per_cast = 4 + job.state.activation;
    rates.products = found.products(share.value);
    most_of_peak = std::max(most_of_peak, found.count_scores(share.value, rates));
  }
  if (copies_gradients(job)) {
    rates.traffic_per_gradient_byte = parameters.number("traffic_per_gradient_byte");
  }
  rates.kernel_gap = parameters.time("kernel_gap");
  rates.slow_down(found.slowdown(share.of_products), most_of_peak);
  if (!job.cuda_graphs) {
    rates.launch_interval = job.launch_interval.value_or(parameters.time("kernel_launch_interval"));
  }
  return rates;
}

}  // namespace vgsim::training
