#include "models/training/kernel_uses.hpp"

#include <algorithm>
#include <optional>

#include "models/kernels/attention.hpp"
#include "models/kernels/matrix_product.hpp"

namespace vgsim::training {
namespace {

using kernels::KernelGpu;
using kernels::MatrixProduct;

/// Five products go backward for two that go forward. Source: T. Dao, FlashAttention-2, 2023.
constexpr double kAttentionBackward = 2.5;

/// Forward, a product of m rows is followed by one for its input's gradient and one for its
/// weights', of the same operations in other shapes; where blocks are computed again it runs twice
/// forward.
class Uses {
 public:
  Uses(const TrainingJob& job, const KernelGpu& gpu, const KernelGpu& gpu_of_scores,
       const calibration::Parameters& parameters)
      : job_(job),
        p_(job.parallelism),
        t_(*job.network->transformer),
        gpu_(gpu),
        gpu_of_scores_(gpu_of_scores),
        products_(kernels::product_constants(parameters)),
        attention_(kernels::attention_constants(gpu_of_scores, parameters)) {}

  std::vector<KernelUse> list() {
    const auto tensor = static_cast<double>(p_.tensor);
    const auto hidden = static_cast<double>(t_.hidden);
    const double queries = static_cast<double>(t_.heads * t_.head_size);
    const double keys = static_cast<double>(t_.kv_heads * t_.head_size);
    const auto ffn = static_cast<double>(t_.ffn);
    const double again = p_.recompute == Recompute::kFull ? 2 : 1;
    const double blocks = static_cast<double>(t_.layers) * a_stage();
    product("queries, keys, values", rows(), (queries + 2 * keys) / tensor, hidden, blocks, again);
    scores(blocks, p_.recompute == Recompute::kNone ? 1 : 2);
    product("attention, out", rows(), hidden, queries / tensor, blocks, again);
    // Of the experts that a rank holds, each sees its part of all ranks' tokens.
    const double experts =
        std::max(1.0, static_cast<double>(t_.experts) / static_cast<double>(p_.expert));
    const double seen =
        t_.experts == 0 ? rows() : rows() * static_cast<double>(t_.experts_per_token) / experts;
    product("feed-forward, in", seen, (t_.gated ? 2 : 1) * ffn / tensor, hidden, blocks * experts,
            again);
    product("feed-forward, out", seen, hidden, ffn / tensor, blocks * experts, again);
    if (t_.output == Transformer::Output::kLm) {
      product("output", rows(), static_cast<double>(t_.vocabulary) / tensor, hidden, a_stage(), 1);
    }
    return std::move(uses_);
  }

 private:
  /// Micro-batches of an iteration, by the part of the network that a stage has.
  [[nodiscard]] double a_stage() const {
    return static_cast<double>(p_.micro_batches) / static_cast<double>(p_.pipeline);
  }
  [[nodiscard]] double rows() const {
    return static_cast<double>(p_.micro_batch * job_.tokens) / static_cast<double>(p_.context);
  }

  void product(const char* what, double m, double n, double k, double times, double forward) {
    KernelUse& use = uses_.emplace_back();
    use.what = what;
    const auto add = [&](double rows, double columns, double depth, double often) {
      const MatrixProduct one{rows, columns, depth, job_.precision == "fp8" ? 1.0 : 2.0};
      use.kernels += often;
      use.seconds += often * kernels::seconds_of(one, gpu_, products_);
      use.roof_seconds += often * kernels::roof_of(one, gpu_);
    };
    add(m, n, k, times * forward);
    add(m, k, n, times);
    add(k, n, m, times);
  }

  void scores(double times, double forward) {
    if (!job_.flash_attention || !t_.causal) return;
    const kernels::Attention one{
        static_cast<double>(p_.micro_batch), static_cast<double>(job_.tokens),
        static_cast<double>(t_.heads) / static_cast<double>(p_.tensor) /
            static_cast<double>(p_.context),
        std::max(1.0, static_cast<double>(t_.kv_heads) / static_cast<double>(p_.tensor)),
        static_cast<double>(t_.head_size)};
    const double parts = times * (forward + kAttentionBackward);
    KernelUse& use = uses_.emplace_back();
    use.what = "attention";
    use.kernels = times * (forward + 1);
    use.seconds = parts * kernels::seconds_of(one, gpu_of_scores_, attention_);
    use.roof_seconds = parts * kernels::operations_of(one) / gpu_of_scores_.peak;
  }

  const TrainingJob& job_;
  const Parallelism& p_;
  const Transformer& t_;
  const KernelGpu& gpu_;
  const KernelGpu& gpu_of_scores_;
  kernels::ProductConstants products_;
  kernels::AttentionConstants attention_;
  std::vector<KernelUse> uses_;
};

}  // namespace

std::vector<KernelUse> kernel_uses(const TrainingJob& job, const topology::GpuModel& gpu,
                                   const calibration::Parameters& parameters) {
  if (!job.network->transformer || (job.precision != "fp16" && job.precision != "fp8")) return {};
  const auto own = kernels::kernel_gpu(gpu, job.precision, parameters);
  const auto of_scores = kernels::kernel_gpu(gpu, "fp16", parameters);
  if (!own || !of_scores) return {};
  return Uses(job, *own, *of_scores, parameters).list();
}

}  // namespace vgsim::training
