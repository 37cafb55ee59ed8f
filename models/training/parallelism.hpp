#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vgsim::training {

/// What data-parallel ranks share out among them. Source: S. Rajbhandari et al., ZeRO, 2020.
enum class Sharding : std::uint8_t {
  kNone,
  kOptimizer,   ///< ZeRO-1
  kGradients,   ///< ZeRO-2: and gradients
  kParameters,  ///< ZeRO-3, FSDP: and parameters
};

enum class Schedule : std::uint8_t {
  kGpipe,  ///< all micro-batches forward, then all backward
  k1f1b,   ///< one forward, one backward; interleaved where a stage has several chunks
  /// The same, and gradients of weights are computed where a stage would wait: ZB-H1 of P. Qi et
  /// al., Zero Bubble Pipeline Parallelism, 2023.
  kZeroBubble,
};

enum class Recompute : std::uint8_t {
  kNone,
  kSelective,  ///< scores of attention
  kFull,       ///< all of a block but its input
};

/// Which micro-batches of an iteration reduce gradients that are kept sharded.
enum class GradientSync : std::uint8_t {
  kEach,
  kLastBetweenCopies,  ///< each among ranks that share out a copy, the last between copies
  kLast,               ///< the others add to gradients that are not sharded
};

/// How context-parallel ranks see the tokens of each other.
enum class ContextExchange : std::uint8_t {
  kRing,   ///< keys and values go round (H. Liu et al., Ring Attention, 2023)
  kHeads,  ///< each gets all tokens of some heads (S. Jacobs et al., DeepSpeed Ulysses, 2023)
};

/// Beside what tensor-parallel ranks exchange.
enum class TensorOverlap : std::uint8_t {
  kNone,
  /// Gradients of the inputs of a product that is split by columns, beside those of its weights.
  kGradients,
  kProducts,  ///< all of it beside the products that take or make it, in chunks
};

/// A kind of group of ranks that communicate.
enum class Axis : std::uint8_t {
  kTensor,
  kContext,
  kData,
  kExpert,
  kExpertData,  ///< data-parallel ranks that hold the same experts
  kPipeline,
  kShard,    ///< data-parallel ranks that share out one copy, where there are several copies
  kReplica,  ///< those that hold the same part of each copy
  kReshard,  ///< those that share out what a forward pass has gathered
};

[[nodiscard]] const char* to_string(Axis axis);

/// How the work of an iteration is split over ranks. Ranks are numbered with the tensor index
/// running fastest, then context, data and pipeline, as Megatron-LM does.
struct Parallelism {
  std::size_t tensor = 1;
  std::size_t context = 1;
  std::size_t data = 1;
  std::size_t pipeline = 1;
  std::size_t expert = 1;          ///< of the data-parallel ranks, how many share out the experts
  std::size_t virtual_stages = 1;  ///< chunks of layers of each pipeline stage
  bool sequence = false;           ///< norms and dropout are split between tensor-parallel ranks
  TensorOverlap tensor_overlap = TensorOverlap::kNone;
  ContextExchange context_exchange = ContextExchange::kRing;
  double expert_imbalance = 1.0;  ///< tokens of the busiest expert-parallel rank, to the mean
  Schedule schedule = Schedule::k1f1b;
  Sharding sharding = Sharding::kNone;
  /// Data-parallel ranks that share out a copy of what is sharded, in the order of ranks; other
  /// such ranks have a copy of their own (hybrid sharding). 0: all share out one.
  std::size_t shard_size = 0;
  /// After a forward pass parameters are shared out among so many ranks, and gathered among these
  /// going backward; 1: they stay gathered. Nothing: as before it.
  std::optional<std::size_t> reshard_size;
  GradientSync gradient_sync = GradientSync::kEach;
  Recompute recompute = Recompute::kNone;
  bool flash_attention = true;     ///< scores are not kept
  bool fused_loss = false;         ///< of logits, in their place
  std::int64_t micro_batch = 1;    ///< samples
  std::int64_t micro_batches = 1;  ///< of a data-parallel rank in an iteration

  [[nodiscard]] std::size_t ranks() const { return tensor * context * data * pipeline; }
  /// That share out a copy of what is sharded.
  [[nodiscard]] std::size_t sharding_ranks() const {
    return shard_size == 0 ? data * context : shard_size;
  }
  /// Of a data-parallel rank, in an iteration.
  [[nodiscard]] std::int64_t samples_of_rank() const { return micro_batch * micro_batches; }
  [[nodiscard]] std::int64_t global_batch() const {
    return samples_of_rank() * static_cast<std::int64_t>(data);
  }

  bool operator==(const Parallelism&) const = default;
};

/// The place of a rank on each axis.
struct AxisPlace {
  std::size_t tensor = 0;
  std::size_t context = 0;
  std::size_t data = 0;
  std::size_t pipeline = 0;
};
[[nodiscard]] AxisPlace place_of(const Parallelism& parallelism, std::size_t rank);

/// All groups of an axis, each with its ranks in ascending order. Groups of the data axis hold the
/// ranks that reduce their gradients together: those of the context axis as well. Those of the
/// pipeline axis are the ranks of all stages, in order; those of shards are neighbours.
[[nodiscard]] std::vector<std::vector<std::size_t>> groups(const Parallelism& parallelism,
                                                           Axis axis);

/// Ranks of each of them.
[[nodiscard]] std::size_t group_size(const Parallelism& parallelism, Axis axis);

/// Which way a micro-batch goes through a stage.
enum class Pass : std::uint8_t {
  kForward,
  kBackward,
  kWeights,  ///< gradients of weights, where the backward pass leaves them for later
};

/// One piece of work of a pipeline stage.
struct PipelineOp {
  Pass pass = Pass::kForward;
  std::size_t chunk = 0;  ///< of the stage
  std::size_t micro_batch = 0;

  bool operator==(const PipelineOp&) const = default;
};

/// What a stage does, in order. Interleaved schedules need micro-batches in multiples of the number
/// of stages (std::invalid_argument). Source: D. Narayanan et al., Efficient Large-Scale Language
/// Model Training on GPU Clusters Using Megatron-LM, 2021, section 2.2.
[[nodiscard]] std::vector<PipelineOp> pipeline_order(const Parallelism& parallelism,
                                                     std::size_t stage);

}  // namespace vgsim::training
