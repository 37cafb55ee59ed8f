#include "models/training/memory.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

/// Parameters of a group that one rank holds, unless they are sharded: those of experts, which
/// fewer data-parallel ranks have in common, apart.
struct Held {
  double shared = 0;
  double experts = 0;

  [[nodiscard]] double all() const { return shared + experts; }
};

Held held_by_rank(const LayerGroup& layer, const Parallelism& p) {
  const auto experts = static_cast<double>(layer.expert_parameters);
  double split = static_cast<double>(p.tensor);
  if (layer.sharded) split *= static_cast<double>(p.data);
  return {(static_cast<double>(layer.parameters()) - experts) / split,
          experts / static_cast<double>(p.tensor * p.expert)};
}

bool is_block(const LayerGroup& layer) {
  return layer.part == LayerGroup::Part::kAttention || layer.part == LayerGroup::Part::kFeedForward;
}

/// Elements that one micro-batch leaves in one rank's memory.
double activations(const LayerGroup& layer, const Parallelism& p, double tokens) {
  const auto tensor = static_cast<double>(p.tensor);
  const double each = p.sequence ? tensor : 1.0;
  const Activations& kept = layer.activations;
  if (p.recompute == Recompute::kFull && is_block(layer)) {
    // The input of a block, which its attention takes.
    return layer.part == LayerGroup::Part::kAttention ? layer.block_input * tokens / each : 0.0;
  }
  const bool keeps_scores = !p.flash_attention && p.recompute == Recompute::kNone;
  return kept.per_sample + kept.per_token * tokens / tensor + kept.per_token_each * tokens / each +
         (keeps_scores ? kept.per_token_pair * tokens * tokens / tensor : 0.0);
}

/// Micro-batches whose activations a stage holds at its peak.
double in_flight(const Parallelism& p, std::size_t stage) {
  const auto all = static_cast<double>(p.micro_batches);
  if (p.schedule == Schedule::kGpipe) return all;
  const auto stages = static_cast<double>(p.pipeline);
  const double behind = stages - static_cast<double>(stage);
  if (p.virtual_stages == 1) return std::min(behind, all);
  const auto chunks = static_cast<double>(p.virtual_stages);
  const double ahead = 2 * (behind - 1) + (chunks - 1) * stages + 1;
  return std::min(ahead / chunks, all);
}

}  // namespace

std::vector<MemoryPart> memory_of(const std::vector<const LayerGroup*>& layers,
                                  const Parallelism& p, std::size_t stage, std::int64_t tokens,
                                  const StateBytes& state, double reserve) {
  Held held;
  double kept = 0;
  double largest = 0;
  const double own_tokens = static_cast<double>(tokens) / static_cast<double>(p.context);
  for (const LayerGroup* layer : layers) {
    const Held own = held_by_rank(*layer, p);
    held.shared += own.shared;
    held.experts += own.experts;
    largest = std::max(largest, own.all());
    kept += activations(*layer, p, own_tokens) * static_cast<double>(p.micro_batch);
  }
  const auto replicas = static_cast<double>(p.data * p.context);
  const double sharded =
      held.shared / replicas + held.experts * static_cast<double>(p.expert) / replicas;
  const double weights = p.sharding == Sharding::kParameters ? sharded : held.all();
  const double gradients = p.sharding >= Sharding::kGradients ? sharded : held.all();
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
  add("activations", kept * in_flight(p, stage) * state.activation);
  if (p.sharding == Sharding::kParameters) {
    // Two layer groups are gathered at a time, and the gradients of one are reduced.
    add("gathered layers", largest * (2 * state.weight + state.gradient));
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
