#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/training/step_plan.hpp"
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

/// Of an exchange, by what is exchanged.
[[nodiscard]] Activity activity_of(const Exchange& exchange);

/// Turns exchanges into tasks.
class Exchanger {
 public:
  Exchanger() = default;
  Exchanger(const Exchanger&) = delete;
  Exchanger& operator=(const Exchanger&) = delete;
  virtual ~Exchanger() = default;

  /// Of all communicators of a group at once.
  [[nodiscard]] virtual collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t group,
                                                              const Exchange& exchange,
                                                              collectives::TaskLabel label) = 0;
  /// From each rank of a unit to the one with its place in another.
  [[nodiscard]] virtual collectives::CollectiveTasks send(TaskGraph& graph, std::size_t from,
                                                          std::size_t to, Bytes size,
                                                          collectives::TaskLabel label) = 0;
};

/// A task that is work for a GPU which is shared in turns.
struct TurnTask {
  TaskId task{};
  std::size_t seat = 0;  ///< as TenantSlot has it
  TurnLane lane = TurnLane::kKernels;
};

/// The first and the last of tasks that follow each other.
struct TaskSpan {
  TaskId begin = kNoTask;
  TaskId end = kNoTask;
};

/// The tasks of one unit in every iteration.
struct UnitStep {
  TaskId begin = kNoTask;      ///< of its first pass
  std::vector<TaskId> passes;  ///< in order; those of ranks that take turns at the same time
  TaskSpan optimizer;
  TaskId end{};  ///< of what it does in the iteration
};

/// An exchange in the graph, and who takes part.
struct Traffic {
  Exchange exchange;               ///< or what is sent to the next stage
  std::vector<std::size_t> units;  ///< of a send: the one that waits for it
  collectives::CollectiveTasks tasks;
  TaskId last{};  ///< of its tasks, whose numbers follow those of the traffic before
};

/// One iteration, to be run as often as the job has iterations.
struct TrainingGraph {
  TaskGraph graph;  ///< subject = unit, of an exchange the first
  std::vector<UnitStep> units;
  std::vector<Traffic> traffic;
  std::optional<TaskId> barrier;  ///< all units begin the next iteration then
  std::vector<TurnTask> turns;

  /// What ends an iteration of a unit.
  [[nodiscard]] TaskId end_of(std::size_t unit) const { return barrier.value_or(units[unit].end); }
};

/// Lowers an iteration into tasks.
///
/// Units work in pipeline_order(); a micro-batch enters a stage when it was sent there, and the
/// first stage when its batch is on the GPU. Batches are read and copied ahead: batch i may be
/// fetched once iteration i - prefetched_batches has begun. Keys and values go round beside scores
/// of attention, and where they overlap sums beside products; all other exchanges of a layer are
/// waited for.
/// Exchanges of parameters and gradients of a stage follow each other, as on NCCL's stream:
/// gradients are reduced when all units of the group have them; parameters of a segment are asked
/// for when the segment `prefetched_segments` before it begins, behind the gradients of the
/// segments that have ended by then (PyTorch's FullyShardedDataParallel). On GPUs that others use
/// in turns, passes and optimizer are work in the turns of each rank of a unit, and so is each
/// exchange, beside them: they are over when all ranks have had their time. What waits for an
/// earlier iteration depends on it with a lag. Only plans with a barrier gather parameters.
[[nodiscard]] TrainingGraph build_training_graph(const StepPlan& plan, Exchanger& exchanger);

}  // namespace vgsim::training
