#include "models/training/memory.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

/// Elements that one micro-batch leaves in one rank's memory.
double activations(const LayerGroup& layer, const Parallelism& p, double tokens) {
  const auto tensor = static_cast<double>(p.tensor);
  const double each = p.sequence ? tensor : 1.0;
  const Activations& kept = layer.activations;
  if (p.recompute == Recompute::kFull && layer.is_block()) {
    // The input of a block, which its attention takes.
    return layer.part == LayerGroup::Part::kAttention ? layer.block_input * tokens / each : 0.0;
  }
  const bool keeps_scores = !p.flash_attention && p.recompute == Recompute::kNone;
  return kept.per_sample + kept.per_token * tokens / tensor + kept.per_token_each * tokens / each +
         (keeps_scores ? kept.per_token_pair * tokens * tokens / tensor : 0.0);
}

/// Of the block that ends at layer `last`, once it is computed again.
double block_activations(const std::vector<const LayerGroup*>& layers, std::size_t last,
                         const Parallelism& p, double tokens) {
  Parallelism again = p;
  again.recompute = Recompute::kNone;
  double elements = activations(*layers[last], again, tokens);
  const bool attends = last > 0 && layers[last - 1]->part == LayerGroup::Part::kAttention;
  if (attends) elements += activations(*layers[last - 1], again, tokens);
  return elements * static_cast<double>(p.micro_batch);
}

/// Micro-batches whose activations a stage holds at its peak.
double in_flight(const Parallelism& p, std::size_t stage) {
  const auto all = static_cast<double>(p.micro_batches);
  if (p.schedule == Schedule::kGpipe) return all;
  const auto stages = static_cast<double>(p.pipeline);
  // Until the gradients of weights are computed as well.
  if (p.schedule == Schedule::kZeroBubble) return std::min(stages, all);
  const double behind = stages - static_cast<double>(stage);
  if (p.virtual_stages == 1) return std::min(behind, all);
  const auto chunks = static_cast<double>(p.virtual_stages);
  const double ahead = 2 * (behind - 1) + (chunks - 1) * stages + 1;
  return std::min(ahead / chunks, all);
}

}  // namespace

Held& Held::operator+=(const Held& other) {
  shared += other.shared;
  experts += other.experts;
  frozen += other.frozen;
  return *this;
}

Held held_by_rank(const LayerGroup& layer, const Parallelism& p) {
  const auto experts = static_cast<double>(layer.expert_parameters);
  double split = static_cast<double>(p.tensor);
  if (layer.sharded) split *= static_cast<double>(p.data);
  return {(static_cast<double>(layer.parameters()) - experts) / split,
          experts / static_cast<double>(p.tensor * p.expert),
          static_cast<double>(layer.frozen) / static_cast<double>(p.tensor)};
}

std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                  const Parallelism& p, std::size_t stage, std::int64_t tokens,
                                  const StateBytes& state, double reserve) {
  Held held;
  double kept = 0;
  double largest = 0;          // layer, in weights
  double largest_trained = 0;  // the same of those with gradients
  double block = 0;
  const double own_tokens = static_cast<double>(tokens) / static_cast<double>(p.context);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerGroup* layer = layers[i];
    const Held own = held_by_rank(*layer, p);
    held += own;
    largest = std::max(largest, own.all() + own.frozen);
    largest_trained = std::max(largest_trained, own.all());
    kept += activations(*layer, p, own_tokens) * static_cast<double>(p.micro_batch);
    if (p.recompute == Recompute::kFull && layer->part == LayerGroup::Part::kFeedForward) {
      block = std::max(block, block_activations(layers, i, p, own_tokens));
    }
  }
  const auto replicas = static_cast<double>(p.sharding_ranks());
  const double sharded =
      held.shared / replicas + held.experts * static_cast<double>(p.expert) / replicas;
  double weights = held.all() + held.frozen;
  if (p.sharding == Sharding::kParameters) {
    // Between the passes they are shared out among fewer ranks, or not at all.
    const double between = p.reshard_size ? weights / static_cast<double>(*p.reshard_size) : 0.0;
    weights = sharded + held.frozen / replicas + between;
  }
  const bool added_up = p.gradient_sync == GradientSync::kLast && p.micro_batches > 1;
  const double gradients = p.sharding >= Sharding::kGradients && !added_up ? sharded : held.all();
  const double states = p.sharding >= Sharding::kOptimizer ? sharded : held.all();
  std::vector<MemoryPart> parts;
  const auto add = [&](const char* what, double bytes) {
    MemoryPart& part = parts.emplace_back();
    part.what = what;
    part.bytes = bytes;
  };
  add("weights", weights * state.weight);
  add("gradients", gradients * state.gradient);
  add("optimizer states", states * state.optimizer);
  add("activations", (kept * in_flight(p, stage) + block) * state.activation);
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
