#include "models/training/kernel_uses.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/kernels/attention.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/training/product_times.hpp"

namespace vgsim::training {
namespace {

using kernels::KernelGpu;

/// The backward pass has five products for two in the forward pass. Source: T. Dao,
/// FlashAttention-2, 2023.
constexpr double kAttentionBackward = 2.5;

/// A product of m rows in the forward pass has two in the backward pass, for gradients of its input
/// and of its weights, with the same operations in other shapes. Recomputed blocks run the forward
/// product twice.
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
        attention_(kernels::attention_constants(gpu_of_scores, parameters)) {
    attention_.stores_keys = false;  // only serving has a cache of keys
  }

  std::vector<KernelUse> list() {
    for (const LayerGroup& layer : job_.network->layers) {
      const bool attends = layer.part == LayerGroup::Part::kAttention;
      for (const LayerGroup::Product& product : layer.products) {
        add(name_of(layer, product), layer, product, is_computed_again(layer, product) ? 2 : 1);
        if (attends && &product == &layer.products.front()) {
          const bool once =
              p_.recompute == Recompute::kNone || p_.recompute == Recompute::kAlternate;
          scores(a_stage(), once ? 1 : 2);
        }
      }
    }
    return std::move(uses_);
  }

 private:
  /// Micro-batches of an iteration times the share of the network on one stage.
  [[nodiscard]] double a_stage() const {
    return static_cast<double>(p_.micro_batches) / static_cast<double>(p_.pipeline);
  }

  /// PyTorch does not recompute the last product of a block (see LayerPasses).
  [[nodiscard]] bool is_computed_again(const LayerGroup& layer,
                                       const LayerGroup::Product& product) const {
    const bool ends_block = layer.part == LayerGroup::Part::kFeedForward && product.sums;
    return p_.recompute == Recompute::kFull && layer.is_block() &&
           !(ends_block && p_.sharding == Sharding::kParameters);
  }

  static std::string name_of(const LayerGroup& layer, const LayerGroup::Product& product) {
    switch (layer.part) {
      case LayerGroup::Part::kAttention:
        return product.sums ? "attention, out" : "queries, keys, values";
      case LayerGroup::Part::kFeedForward:
        return product.sums ? "feed-forward, out" : "feed-forward, in";
      case LayerGroup::Part::kEmbedding:
        return "embedding";
      case LayerGroup::Part::kOutput:
      case LayerGroup::Part::kOther:
        break;
    }
    return "output";
  }

  KernelUse& use_called(const std::string& what) {
    for (KernelUse& use : uses_) {
      if (use.what == what) return use;
    }
    return uses_.emplace_back(KernelUse{what, 0, 0, 0});
  }

  void add(const std::string& what, const LayerGroup& layer, const LayerGroup::Product& product,
           double forward) {
    KernelUse& use = use_called(what);
    for (const auto& [pass, passes] :
         {std::pair{ProductPass::kForward, forward}, std::pair{ProductPass::kInputs, 1.0},
          std::pair{ProductPass::kWeights, 1.0}}) {
      if (pass == ProductPass::kWeights && !product.trained) continue;
      const RankProduct one = product_of_rank(product, layer, p_, job_.tokens, pass,
                                              kernels::operand_bytes(job_.precision));
      const double often = a_stage() * passes * one.times;
      use.kernels += often;
      use.seconds += often * kernels::seconds_of(one.shape, gpu_, products_);
      use.roof_seconds += often * kernels::roof_of(one.shape, gpu_);
    }
  }

  void scores(double times, double forward) {
    if (!job_.flash_attention || !t_.causal) return;
    const kernels::Attention one{
        static_cast<double>(p_.micro_batch), static_cast<double>(job_.tokens),
        static_cast<double>(t_.heads) / static_cast<double>(p_.tensor) /
            static_cast<double>(p_.context),
        std::max(1.0, static_cast<double>(t_.kv_heads) / static_cast<double>(p_.tensor)),
        t_.mean_head_size()};
    const double parts = times * (forward + kAttentionBackward);
    KernelUse& use = use_called("attention");
    use.kernels += times * (forward + 1);
    use.seconds += parts * kernels::seconds_of(one, gpu_of_scores_, attention_);
    use.roof_seconds += parts * kernels::operations_of(one) / gpu_of_scores_.peak;
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
  if (!job.network->transformer || kernels::operand_bytes(job.precision) > 2) return {};
  const auto own = kernels::kernel_gpu(gpu, job.precision, parameters);
  const auto of_scores = kernels::kernel_gpu(gpu, "fp16", parameters);
  if (!own || !of_scores) return {};
  return Uses(job, *own, *of_scores, parameters).list();
}

}  // namespace vgsim::training
