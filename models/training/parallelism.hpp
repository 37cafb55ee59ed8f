#pragma once

#include <cstddef>
#include <cstdint>
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
};

enum class Recompute : std::uint8_t {
  kNone,
  kSelective,  ///< scores of attention
  kFull,       ///< all of a block but its input
};

/// A kind of group of ranks that communicate.
enum class Axis : std::uint8_t {
  kTensor,
  kContext,
  kData,
  kExpert,
  kExpertData,  ///< data-parallel ranks that hold the same experts
  kPipeline,
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
  Schedule schedule = Schedule::k1f1b;
  Sharding sharding = Sharding::kNone;
  Recompute recompute = Recompute::kNone;
  bool flash_attention = true;     ///< scores are not kept
  std::int64_t micro_batch = 1;    ///< samples
  std::int64_t micro_batches = 1;  ///< of a data-parallel rank in an iteration

  [[nodiscard]] std::size_t ranks() const { return tensor * context * data * pipeline; }
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
/// pipeline axis are the ranks of all stages, in order.
[[nodiscard]] std::vector<std::vector<std::size_t>> groups(const Parallelism& parallelism,
                                                           Axis axis);

/// Ranks of each of them.
[[nodiscard]] std::size_t group_size(const Parallelism& parallelism, Axis axis);

/// One piece of work of a pipeline stage.
struct PipelineOp {
  bool forward = true;
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
