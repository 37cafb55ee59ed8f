#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/training/compute.hpp"
#include "sim/task_graph.hpp"
#include "sim/turns.hpp"

namespace vgsim::training {

/// What a task of a training step is; the category of its task.
enum class Activity : std::uint32_t {
  kForward,
  kBackward,
  kGradients,
  kOptimizer,
  kStorageRead,
  kDecode,
  kHostToDevice,
  kTensor,       ///< sums of tensor-parallel ranks
  kContext,      ///< keys and values
  kExperts,      ///< tokens on their way to experts and back
  kActivations,  ///< to the next stage, and their gradients to the one before
  kParameters,   ///< gathered
};

[[nodiscard]] const char* to_string(Activity activity);

/// Whether it brings a batch to a GPU.
[[nodiscard]] constexpr bool is_input(Activity activity) {
  return activity == Activity::kStorageRead || activity == Activity::kDecode ||
         activity == Activity::kHostToDevice;
}

/// How one rank gets its input batches; a part that does nothing is left out.
struct InputFeed {
  std::optional<FlowWork> storage_read;  ///< storage to host memory, or to the GPU
  std::optional<FlowWork> decode;        ///< cores decode and augment
  std::optional<FlowWork> host_to_device;
  SimTime copy_latency{};
};

/// Whose input it is.
struct FedRank {
  std::uint32_t subject = 0;  ///< of its tasks
  TaskId begins{};            ///< its first work in an iteration
  TaskId ends{};              ///< its last
  std::int64_t prefetched_batches = 0;
};

/// Reads a batch, decodes it and copies it to the GPU, as far as there is something to do; each of
/// them one batch at a time, and batch i once iteration i - prefetched_batches has begun.
void add_input(TaskGraph& graph, const InputFeed& feed, const FedRank& rank);

/// Where the host launches too slowly, the GPU has nothing to do for a share of each pass. Work and
/// gaps alternate; where the work of a piece ends others may have the GPU.
struct TurnGaps {
  double share = 0;
  SimTime piece{};  ///< of work between two of them
};

/// A data-parallel training step. All ranks take part in every bucket. Ranks that do the very same
/// may be listed once.
struct StepPlan {
  std::vector<ComputeTimes> compute;  ///< by rank
  std::vector<InputFeed> feeds;       ///< by rank
  std::vector<GradientBucket> buckets;
  SimTime bucket_wait{};  ///< from the last gradient of a bucket until its reduction may begin
  /// What each rank sends to all others for layers whose parameters are spread over them: their
  /// results before the forward pass, and the gradients of these after the backward pass.
  Bytes exchanged{};
  bool reduces = true;  ///< gradients are reduced: there is more than one rank
  bool overlap = true;  ///< reduce buckets while the backward pass goes on
  std::int64_t prefetched_batches = 2;
  /// Of ranks whose GPU others use in turns. Empty where no GPU is shared so.
  std::vector<std::optional<TurnGaps>> gaps;
  /// By bucket: for how long its reduction needs the GPUs that are shared in turns.
  std::vector<SimTime> reduction_work;
};

/// A task that is work for a GPU which is shared in turns.
struct TurnTask {
  TaskId task{};
  std::size_t rank = 0;
  TurnLane lane = TurnLane::kKernels;
};

/// The tasks of one rank in every iteration.
struct RankStep {
  TaskId forward{};
  TaskId last_backward{};
  TaskId optimizer{};
};

/// One iteration, to be run as often as the job has iterations.
struct TrainingGraph {
  TaskGraph graph;
  std::vector<RankStep> steps;                        ///< by rank
  std::vector<collectives::CollectiveTasks> reduced;  ///< by bucket
  std::vector<TurnTask> turns;
};

/// Lowers an iteration of a training step into tasks.
///
/// A rank computes forward when its batch is on the GPU and its weights are updated, then
/// backward; each bucket is reduced when all ranks have it, one bucket after the other as NCCL's
/// stream does; the optimizer follows the last bucket. Batches are read and copied ahead: batch i
/// may be fetched once iteration i - prefetched_batches has begun.
/// On a GPU that others use in turns, passes and optimizer are work in the rank's turns, and so is
/// each reduction, beside them: it is over when all ranks have had its time.
/// Task subject = rank. What waits for an earlier iteration depends on it with a lag.
[[nodiscard]] TrainingGraph build_training_graph(const StepPlan& plan,
                                                 collectives::Lowering& collectives);

}  // namespace vgsim::training
