#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/training/step_plan.hpp"
#include "sim/task_graph.hpp"
#include "sim/time_slicing.hpp"

namespace vgsim::training {

/// The kind of a task in a training step; stored as the category of the task.
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
  kExperts,      ///< tokens to experts and back
  kActivations,  ///< to the next stage, and their gradients to the previous one
  kParameters,   ///< gathered
};

[[nodiscard]] const char* to_string(Activity activity);

/// Whether the task brings a batch to a GPU.
[[nodiscard]] constexpr bool is_input(Activity activity) {
  return activity == Activity::kStorageRead || activity == Activity::kDecode ||
         activity == Activity::kHostToDevice;
}

/// The kind of an exchange.
[[nodiscard]] Activity activity_of(const Exchange& exchange);

/// Creates the tasks of exchanges.
class Exchanger {
 public:
  Exchanger() = default;
  Exchanger(const Exchanger&) = delete;
  Exchanger& operator=(const Exchanger&) = delete;
  virtual ~Exchanger() = default;

  /// An exchange in all communicators of a group.
  [[nodiscard]] virtual collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t group,
                                                              const Exchange& exchange,
                                                              collectives::TaskLabel label) = 0;
  /// From each rank of a unit to the corresponding rank of another unit.
  [[nodiscard]] virtual collectives::CollectiveTasks send(TaskGraph& graph, std::size_t from,
                                                          std::size_t to, Bytes size,
                                                          collectives::TaskLabel label) = 0;
};

/// A task that is work for a time-sliced GPU.
struct TimeSlicedTask {
  TaskId task{};
  std::size_t seat = 0;  ///< TenantSlot::seat
  WorkLane lane = WorkLane::kKernels;
};

/// The first and the last of tasks that follow each other.
struct TaskSpan {
  TaskId begin = kNoTask;
  TaskId end = kNoTask;
};

/// The tasks of one unit in every iteration.
struct UnitStep {
  TaskId begin = kNoTask;      ///< of its first pass
  std::vector<TaskId> passes;  ///< in order; ranks on time-sliced GPUs at the same time
  TaskSpan optimizer;
  TaskId end{};  ///< end of its iteration
};

/// An exchange in the graph with its participants.
struct Traffic {
  Exchange exchange;               ///< or what is sent to the next stage
  std::vector<std::size_t> units;  ///< of a send: the receiving unit
  collectives::CollectiveTasks tasks;
  TaskId last{};  ///< of its tasks; they are numbered from the previous traffic's last task on
};

/// One iteration; it runs once for each iteration of the job.
struct TrainingGraph {
  TaskGraph graph;  ///< subject: the unit, or the first unit of an exchange
  std::vector<UnitStep> units;
  std::vector<Traffic> traffic;
  std::optional<TaskId> barrier;  ///< all units begin the next iteration after it
  std::vector<TimeSlicedTask> time_sliced;

  /// The task that ends an iteration of a unit.
  [[nodiscard]] TaskId end_of(std::size_t unit) const { return barrier.value_or(units[unit].end); }
};

/// Builds the tasks of an iteration.
///
/// Units follow pipeline_order(). A micro-batch enters a stage when the previous stage has sent it,
/// and the first stage when its batch is on the GPU. Batches are read and copied ahead: batch i can
/// be fetched once iteration i - prefetched_batches has begun. Keys and values are exchanged during
/// attention scores. Sums overlap products if the plan lets them. All other exchanges of a layer
/// block its unit.
///
/// Exchanges of parameters and gradients of a stage are serialized, as on NCCL's stream. Gradients
/// are reduced when all units of the group have them. Parameters of a segment are requested when
/// the segment `prefetched_segments` before it begins, after the gradients of the segments that
/// have ended by then (PyTorch's FullyShardedDataParallel). On time-sliced GPUs, passes and
/// optimizer run in the time slices of each rank of a unit, and so does each exchange, in parallel;
/// they end when all ranks have had their time. A dependency on an earlier iteration has a lag.
/// Only plans with a barrier gather parameters.
[[nodiscard]] TrainingGraph build_training_graph(const StepPlan& plan, Exchanger& exchanger);

}  // namespace vgsim::training
