#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vgsim::training {

/// The state sharded over data-parallel ranks. Source: S. Rajbhandari et al., ZeRO, 2020.
enum class Sharding : std::uint8_t {
  kNone,
  kOptimizer,   ///< ZeRO-1
  kGradients,   ///< ZeRO-2: and gradients
  kParameters,  ///< ZeRO-3, FSDP: and parameters
};

enum class Schedule : std::uint8_t {
  kGpipe,  ///< all micro-batches forward, then all backward
  k1f1b,   ///< one forward, one backward; interleaved where a stage has several chunks
  /// k1f1b with gradients of weights computed in the pipeline bubbles: ZB-H1 of P. Qi et al., Zero
  /// Bubble Pipeline Parallelism, 2023.
  kZeroBubble,
};

enum class Recompute : std::uint8_t {
  kNone,
  kSelective,  ///< attention scores
  kFull,       ///< everything in a block but its input
  kAlternate,  ///< all but results of attention and of every second matrix product
};

/// Which micro-batches of an iteration reduce gradients that are kept sharded.
enum class GradientSync : std::uint8_t {
  kEach,
  kLastBetweenCopies,  ///< each among the ranks of one copy, the last between copies
  kLast,               ///< the others accumulate unsharded gradients
};

/// How context-parallel ranks exchange tokens.
enum class ContextExchange : std::uint8_t {
  kRing,   ///< keys and values pass around a ring (H. Liu et al., Ring Attention, 2023)
  kHeads,  ///< each gets all tokens of some heads (S. Jacobs et al., DeepSpeed Ulysses, 2023)
};

/// Computing that overlaps the exchanges of tensor-parallel ranks.
enum class TensorOverlap : std::uint8_t {
  kNone,
  /// Sums of input gradients of a column-parallel product overlap the gradients of its weights.
  kGradients,
  kProducts,  ///< all exchanges overlap the products that consume or produce the data, in chunks
};

/// A kind of group of ranks that communicate.
enum class Axis : std::uint8_t {
  kTensor,
  kContext,
  kData,
  kExpert,
  kExpertData,  ///< data-parallel ranks with the same experts
  kPipeline,
  kShard,    ///< data-parallel ranks that shard one copy, if there are several copies
  kReplica,  ///< ranks with the same shard of each copy
  kReshard,  ///< ranks that shard the parameters that a forward pass has gathered
};

[[nodiscard]] const char* to_string(Axis axis);

/// The distribution of an iteration's work over ranks. The tensor index of ranks runs fastest, then
/// context, data and pipeline, as in Megatron-LM.
struct Parallelism {
  std::size_t tensor = 1;
  std::size_t context = 1;
  std::size_t data = 1;
  std::size_t pipeline = 1;
  std::size_t expert = 1;          ///< data-parallel ranks that share the experts
  std::size_t virtual_stages = 1;  ///< chunks of layers of each pipeline stage
  bool sequence = false;  ///< sequence parallelism: tensor-parallel ranks split norms and dropout
  TensorOverlap tensor_overlap = TensorOverlap::kNone;
  ContextExchange context_exchange = ContextExchange::kRing;
  /// tokens of the busiest expert-parallel rank divided by the mean
  double expert_imbalance = 1.0;
  Schedule schedule = Schedule::k1f1b;
  Sharding sharding = Sharding::kNone;
  /// Number of successive data-parallel ranks that shard one copy of the state; other
  /// ranks shard further copies (hybrid sharding, HSDP). 0: all shard one copy.
  std::size_t shard_size = 0;
  /// Number of ranks that shard the parameters after a forward pass and gather them in the backward
  /// pass; 1: parameters stay gathered; nothing: the sharding before the forward pass.
  std::optional<std::size_t> reshard_size;
  GradientSync gradient_sync = GradientSync::kEach;
  bool overlap_gather = false;  ///< of parameters, with the forward pass after a sharded optimizer
  Recompute recompute = Recompute::kNone;
  bool flash_attention = true;     ///< scores are not kept
  bool fused_loss = false;         ///< the loss is computed in place, without copies of logits
  std::int64_t micro_batch = 1;    ///< samples
  std::int64_t micro_batches = 1;  ///< of a data-parallel rank in an iteration

  [[nodiscard]] std::size_t ranks() const { return tensor * context * data * pipeline; }
  /// Ranks that shard one copy.
  [[nodiscard]] std::size_t sharding_ranks() const {
    return shard_size == 0 ? data * context : shard_size;
  }
  /// Samples of a data-parallel rank in an iteration.
  [[nodiscard]] std::int64_t samples_of_rank() const { return micro_batch * micro_batches; }
  [[nodiscard]] std::int64_t global_batch() const {
    return samples_of_rank() * static_cast<std::int64_t>(data);
  }

  bool operator==(const Parallelism&) const = default;
};

/// The indices of a rank on each axis.
struct AxisPlace {
  std::size_t tensor = 0;
  std::size_t context = 0;
  std::size_t data = 0;
  std::size_t pipeline = 0;
};
[[nodiscard]] AxisPlace place_of(const Parallelism& parallelism, std::size_t rank);

/// All groups of an axis, each with its ranks in ascending order. A group of the data axis holds
/// the ranks that reduce their gradients together, including those of the context axis. A group of
/// the pipeline axis holds the ranks of all stages, in order. Ranks of a shard group are
/// neighbours.
[[nodiscard]] std::vector<std::vector<std::size_t>> groups(const Parallelism& parallelism,
                                                           Axis axis);

/// The number of ranks in each group.
[[nodiscard]] std::size_t group_size(const Parallelism& parallelism, Axis axis);

/// The direction of a micro-batch through a stage.
enum class Pass : std::uint8_t {
  kForward,
  kBackward,
  kWeights,  ///< gradients of weights, if the backward pass leaves them for later
};

/// One step of a pipeline stage.
struct PipelineOp {
  Pass pass = Pass::kForward;
  std::size_t chunk = 0;  ///< of the stage
  std::size_t micro_batch = 0;

  bool operator==(const PipelineOp&) const = default;
};

/// The work of a stage, in order. Interleaved schedules need a number of micro-batches that is a
/// multiple of the number of stages (throws std::invalid_argument). Source: D. Narayanan et al.,
/// Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, 2021,
/// section 2.2.
[[nodiscard]] std::vector<PipelineOp> pipeline_order(const Parallelism& parallelism,
                                                     std::size_t stage);

}  // namespace vgsim::training
