#include "models/training/memory.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

/// Bytes of a kept score relative to an element: the result of the softmax, the input of the
/// product with the values after dropout, and a mask of one byte. Under autocast the first is in 32
/// bits.
constexpr double kScore = 2.5;
constexpr double kScoreOfAutocast = 3.5;

/// Bytes that one micro-batch keeps in one rank's memory.
double activations(const LayerGroup& layer, const Parallelism& p, double tokens,
                   const StateBytes& state) {
  const auto tensor = static_cast<double>(p.tensor);
  const double each = p.sequence ? tensor : 1.0;
  const Activations& kept = layer.activations;
  const auto samples = static_cast<double>(p.micro_batch);
  if (p.recompute == Recompute::kFull && layer.is_block()) {
    // The input of the block, which its attention stores.
    return layer.part == LayerGroup::Part::kAttention
               ? layer.block_input * tokens / each * samples * state.activation
               : 0.0;
  }
  const bool keeps_scores = !p.flash_attention && p.recompute == Recompute::kNone;
  const double elements =
      kept.per_sample + kept.per_token * tokens / tensor + kept.per_token_each * tokens / each +
      (keeps_scores ? kept.per_token_pair * state.score * tokens * tokens / tensor : 0.0);
  return samples *
         (elements * state.activation + layer.norm_input * tokens / each * state.norm_input);
}

/// Gradients of activations alive at a time, in results of a kernel: one output and both inputs of
/// a product.
constexpr double kGradientsAtATime = 3;

/// Temporary memory of one rank, the largest of:
/// * the start of the backward pass: logits with the intermediate results of the loss;
/// * the backward pass of a layer group: gradients of some of its activations, and all of a
/// recomputed block. Activations of later layers are free by then.
double momentary(const std::vector<const LayerGroup*>& layers, const Parallelism& p, double tokens,
                 const StateBytes& state) {
  Parallelism again = p;
  again.recompute = Recompute::kNone;
  double most = 0;
  double freed = 0;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const LayerGroup& layer = *layers[i];
    const double logits = layer.activations.logits_per_token * tokens /
                          static_cast<double>(p.tensor) * static_cast<double>(p.micro_batch);
    const double own = activations(layer, again, tokens, state);
    // Results of kernels are assumed to be equally large.
    const auto kernels = static_cast<double>(std::max<std::int64_t>(layer.kernels, 1));
    double work = own * std::min(1.0, kGradientsAtATime / kernels);
    if (p.recompute == Recompute::kFull && layer.part == LayerGroup::Part::kFeedForward) {
      work += own;
      if (i > 0) work += activations(*layers[i - 1], again, tokens, state);
    }
    most = std::max({most, logits * state.logit - freed, work - freed});
    freed += activations(layer, p, tokens, state);
  }
  return most;
}

/// Micro-batches whose activations a stage holds at its peak.
double in_flight(const Parallelism& p, std::size_t stage) {
  const auto all = static_cast<double>(p.micro_batches);
  if (p.schedule == Schedule::kGpipe) return all;
  const auto stages = static_cast<double>(p.pipeline);
  // Activations are kept until the gradients of weights are computed.
  if (p.schedule == Schedule::kZeroBubble) return std::min(stages, all);
  const double behind = stages - static_cast<double>(stage);
  if (p.virtual_stages == 1) return std::min(behind, all);
  const auto chunks = static_cast<double>(p.virtual_stages);
  const double ahead = 2 * (behind - 1) + (chunks - 1) * stages + 1;
  return std::min(ahead / chunks, all);
}

}  // namespace

void StateBytes::compute_by_autocast() {
  by_autocast = true;
  cast = activation;
  norm_input += 4 - activation;
  score = kScoreOfAutocast / kScore;
}

HeldParameters& HeldParameters::operator+=(const HeldParameters& other) {
  shared += other.shared;
  experts += other.experts;
  frozen += other.frozen;
  return *this;
}

HeldParameters held_by_rank(const LayerGroup& layer, const Parallelism& p) {
  const auto experts = static_cast<double>(layer.expert_parameters);
  double split = static_cast<double>(p.tensor);
  if (layer.sharded) split *= static_cast<double>(p.data);
  const auto frozen = static_cast<double>(layer.frozen);
  const auto trained = static_cast<double>(layer.parameters());
  const double of_each = experts / static_cast<double>(p.tensor * p.expert);
  if (layer.frozen > 0) {
    return {trained / split, 0, (frozen - experts) / static_cast<double>(p.tensor) + of_each};
  }
  return {(trained - experts) / split, of_each, 0};
}

std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                  const Parallelism& p, std::size_t stage, std::int64_t tokens,
                                  const StateBytes& state, double reserve) {
  HeldParameters held;
  double kept = 0;
  double largest = 0;          // layer, in weights
  double largest_trained = 0;  // the same for layers with gradients
  const double own_tokens = static_cast<double>(tokens) / static_cast<double>(p.context);
  for (const LayerGroup* layer : layers) {
    const HeldParameters own = held_by_rank(*layer, p);
    held += own;
    largest = std::max(largest, own.all() + own.frozen);
    largest_trained = std::max(largest_trained, own.all());
    kept += activations(*layer, p, own_tokens, state);
  }
  const auto replicas = static_cast<double>(p.sharding_ranks());
  const double sharded =
      held.shared / replicas + held.experts * static_cast<double>(p.expert) / replicas;
  double weights = held.all() + held.frozen;
  if (p.sharding == Sharding::kParameters) {
    // Between the passes, fewer ranks or none shard the parameters.
    const double between = p.reshard_size ? weights / static_cast<double>(*p.reshard_size) : 0.0;
    weights = sharded + held.frozen / replicas + between;
  }
  const bool added_up = p.gradient_sync == GradientSync::kLast && p.micro_batches > 1;
  const double gradients = p.sharding >= Sharding::kGradients && !added_up ? sharded : held.all();
  const double states = p.sharding >= Sharding::kOptimizer ? sharded : held.all();
  std::vector<MemoryPart> parts;
  const auto add = [&](const char* what, double bytes, bool of_samples = false) {
    parts.push_back({what, bytes, of_samples});
  };
  add("weights", weights * (state.weight + state.cast));
  add("gradients", gradients * (state.gradient + state.bucket));
  add("optimizer states", states * state.optimizer);
  add("activations", kept * in_flight(p, stage), true);
  add("loss, or active block", momentary(layers, p, own_tokens, state), true);
  if (p.sharding == Sharding::kParameters) {
    // Two layer groups are gathered at a time, and the gradients of one are reduced.
    add("gathered layers", largest * 2 * state.weight + largest_trained * state.gradient);
  }
  add("framework and communicators", reserve);
  return parts;
}

double total(const std::vector<MemoryPart>& parts) {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.bytes;
  return sum;
}

}  // namespace vgsim::training
