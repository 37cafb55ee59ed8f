#include "models/training/memory.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

/// Bytes of a kept score relative to an element: the result of the softmax, the input of the
/// product with the values after dropout, and a mask of one byte. Under autocast the first is in 32
/// bits.
constexpr double kScore = 2.5;
constexpr double kScoreOfAutocast = 3.5;

/// Bytes of an element of a tensor that a block keeps.
double bytes_of(LayerGroup::Kept::Use use, const StateBytes& state) {
  using Use = LayerGroup::Kept::Use;
  switch (use) {
    case Use::kNormInput:
      return state.activation + state.norm_input;
    case Use::kProductInput:
      return state.product_input.value_or(state.activation);
    case Use::kDroppedInput:
      return state.activation + 1;
    case Use::kSeparateCast:
      return state.separate_casts ? state.activation : 0;
    case Use::kActivated:
      return state.fused_activation ? 0 : state.activation;
    case Use::kAttended:
      // The backward pass of attention needs it as it is.
      return state.activation + state.product_input.value_or(0);
    case Use::kMask:
      return 1;
    case Use::kAlways:
    case Use::kAdapterInput:
      break;
  }
  return state.activation;
}

/// Bytes of the tensors of a block that one sample keeps in one rank's memory, without scores.
double tensors_of_block(const LayerGroup& layer, const Parallelism& p, double tokens,
                        const StateBytes& state) {
  const auto tensor = static_cast<double>(p.tensor);
  double bytes = 0;
  for (const LayerGroup::Kept& each : layer.kept) {
    const double ranks = each.split || p.sequence ? tensor : 1.0;
    bytes += each.elements * tokens / ranks * bytes_of(each.use, state);
  }
  return bytes;
}

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
  if (p.recompute == Recompute::kAlternate && layer.is_block()) {
    const double elements = layer.second_split / tensor + layer.second_each / each;
    return elements * tokens * samples * state.activation;
  }
  const bool keeps_scores = !p.flash_attention && p.recompute == Recompute::kNone;
  const double scores =
      keeps_scores ? kept.per_token_pair * state.score * tokens * tokens / tensor : 0.0;
  if (layer.is_block() && !layer.kept.empty()) {
    return samples * (tensors_of_block(layer, p, tokens, state) + scores * state.activation);
  }
  const double elements = kept.per_sample + kept.per_token * tokens / tensor +
                          kept.per_token_each * tokens / each + scores;
  return samples *
         (elements * state.activation + layer.norm_input * tokens / each * state.norm_input);
}

/// Gradients of activations alive at a time, in results of a kernel: one output and both inputs of
/// a product.
constexpr double kGradientsAtATime = 3;

/// The fullest moment of a backward pass, in bytes beyond all kept activations.
struct Moment {
  double work = 0;            ///< without gradients of parameters
  double with_gradients = 0;  ///< with those that are there by then, if they come one by one
};

/// Temporary memory of one rank, the largest of:
/// * the start of the backward pass: logits with the intermediate results of the loss;
/// * the backward pass of a layer group: gradients of some of its activations, and all of a
/// recomputed block. Activations of later layers are free by then.
/// If ranks split norms by tokens, the input of a product is there as a whole, and so is its
/// gradient. `gradients` are the bytes of a parameter's gradient on this rank.
Moment momentary(const std::vector<const LayerGroup*>& layers, const Parallelism& p, double tokens,
                 const StateBytes& state, double gradients) {
  Parallelism again = p;
  again.recompute = Recompute::kNone;
  const double whole = p.sequence && p.tensor > 1
                           ? 2 * tokens * static_cast<double>(p.micro_batch) * state.activation
                           : 0.0;
  Moment moment;
  double freed = 0;
  double come = 0;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const LayerGroup& layer = *layers[i];
    const double logits = layer.activations.logits_per_token * tokens /
                          static_cast<double>(p.tensor) * static_cast<double>(p.micro_batch);
    const double own = activations(layer, again, tokens, state);
    // Results of kernels are assumed to be equally large.
    const auto kernels = static_cast<double>(std::max<std::int64_t>(layer.kernels, 1));
    double work = own * std::min(1.0, kGradientsAtATime / kernels);
    const bool repeats = p.recompute == Recompute::kFull || p.recompute == Recompute::kAlternate;
    if (repeats && layer.part == LayerGroup::Part::kFeedForward) {
      const auto repeated = [&](const LayerGroup& part) {
        const double all = activations(part, again, tokens, state);
        return p.recompute == Recompute::kFull ? all : all - activations(part, p, tokens, state);
      };
      work += repeated(layer);
      if (i > 0) work += repeated(*layers[i - 1]);
    }
    const double now = std::max(logits * state.logit, work) + whole * layer.widest_input - freed;
    moment.work = std::max(moment.work, now);
    come += held_by_rank(layer, p).all() * gradients;
    moment.with_gradients = std::max(moment.with_gradients, now + come);
    freed += activations(layer, p, tokens, state);
  }
  moment.with_gradients = std::max(moment.with_gradients, come - freed);
  return moment;
}

/// Bytes of the frozen weights of a layer group on one rank, before sharding.
double frozen_bytes(const LayerGroup& layer, const HeldParameters& held, const StateBytes& state) {
  if (!state.frozen) return held.frozen * state.weight;
  // Embedding and output keep 16 bits.
  return held.frozen * (layer.is_block() ? *state.frozen : std::min(state.weight, 2.0));
}

/// The largest matrix of frozen weights that is expanded to 16 bits to compute with it.
double expanded(const std::vector<const LayerGroup*>& layers, const Parallelism& p) {
  double most = 0;
  for (const LayerGroup* layer : layers) {
    if (!layer->is_block() || layer->frozen == 0) continue;
    for (const LayerGroup::Product& product : layer->products) {
      if (product.trained || !product.sums) continue;  // others are several matrices
      most = std::max(most, static_cast<double>(product.in) * static_cast<double>(product.out));
    }
  }
  return 2 * most / static_cast<double>(p.tensor);
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

void StateBytes::compute_by_autocast(bool fused) {
  by_autocast = true;
  cast = activation;
  if (fused) return;
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
  double frozen = 0;           // bytes
  double largest = 0;          // layer, in bytes
  double largest_trained = 0;  // the same for layers with gradients, in weights
  const double own_tokens = static_cast<double>(tokens) / static_cast<double>(p.context);
  for (const LayerGroup* layer : layers) {
    const HeldParameters own = held_by_rank(*layer, p);
    held += own;
    const double own_frozen = frozen_bytes(*layer, own, state);
    frozen += own_frozen;
    largest = std::max(largest, own.all() * state.weight + own_frozen);
    largest_trained = std::max(largest_trained, own.all());
    kept += activations(*layer, p, own_tokens, state);
  }
  const auto replicas = static_cast<double>(p.sharding_ranks());
  const double sharded =
      held.shared / replicas + held.experts * static_cast<double>(p.expert) / replicas;
  // Where blocks are computed again, so are their casts; those of the forward pass are free by the
  // backward pass.
  const bool casts_again = p.recompute == Recompute::kFull;
  const double each_weight = state.weight + (casts_again ? 0.0 : state.cast);
  double weights = held.all() * each_weight + frozen;
  if (p.sharding == Sharding::kParameters) {
    // Between the passes, fewer ranks or none shard the parameters.
    const double between = p.reshard_size ? weights / static_cast<double>(*p.reshard_size) : 0.0;
    weights = between;
    if (!state.offloads_parameters) weights += sharded * each_weight + frozen / replicas;
  }
  const bool added_up = p.gradient_sync == GradientSync::kLast && p.micro_batches > 1;
  const double gradients = p.sharding >= Sharding::kGradients && !added_up ? sharded : held.all();
  const double states = p.sharding >= Sharding::kOptimizer ? sharded : held.all();
  std::vector<MemoryPart> parts;
  const auto add = [&](const char* what, double bytes, bool of_samples = false) {
    parts.push_back({what, bytes, of_samples, false});
  };
  const double here = held.all() > 0 ? gradients / held.all() * state.gradient : 0.0;
  const Moment moment = momentary(layers, p, own_tokens, state, here);
  const double all_gradients =
      state.steps_in_backward ? largest_trained * state.gradient : gradients * state.gradient;
  const bool late = state.late_gradients && !state.steps_in_backward;
  const double gradients_then =
      late ? std::max(0.0, moment.with_gradients - moment.work) : all_gradients;
  const double passes =
      kept * in_flight(p, stage) * (1 - state.offloaded_activations) + moment.work;
  add("weights", weights);
  add("gradients", gradients_then + gradients * state.bucket);
  add("optimizer states", state.offloads_optimizer ? 0.0 : states * state.optimizer);
  add("activations", passes - moment.work, true);
  add("loss, or active block", moment.work, true);
  double gathered = 0;
  if (p.sharding == Sharding::kParameters) {
    // Two layer groups are gathered at a time, and the gradients of one are reduced.
    gathered = largest * 2 + largest_trained * state.gradient;
    add("gathered layers", gathered);
  }
  if (state.frozen && *state.frozen < 2) add("expanded weights", expanded(layers, p));
  // Activations are free while the optimizer steps.
  const double step = all_gradients + states * state.step_copy - gradients_then - passes - gathered;
  if (step > 0) add("optimizer step", step);
  if (casts_again && state.cast > 0) {
    parts.push_back({"casts of the forward pass", held.all() * state.cast, false, true});
  }
  add("framework and communicators", reserve);
  return parts;
}

double total(const std::vector<MemoryPart>& parts) {
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.is_cached ? 0.0 : part.bytes;
  return sum;
}

}  // namespace vgsim::training
