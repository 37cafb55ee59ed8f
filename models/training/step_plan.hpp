#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/layer_passes.hpp"
#include "models/training/parallelism.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// The input of one rank; a step that takes no time is omitted.
struct InputFeed {
  std::optional<FlowWork> storage_read;  ///< storage to host memory, or to the GPU
  std::optional<FlowWork> decode;        ///< cores decode and augment
  std::optional<FlowWork> host_to_device;
  SimTime copy_latency{};

  [[nodiscard]] bool any() const { return storage_read || decode || host_to_device; }
};

/// GPU idle time in passes that wait for launches by the host. Work and gaps alternate. In a gap,
/// other tenants can use the GPU.
struct LaunchGaps {
  double share = 0;
  SimTime piece{};  ///< work between two gaps
};

/// A rank of a unit on a time-sliced GPU.
struct TenantSlot {
  std::size_t seat = 0;  ///< its number in TimeSlicedTask
  LaunchGaps gaps;
};

/// Consecutive layers that a unit computes without interruption.
struct StepSegment {
  SimTime compute{};
  std::vector<OverlappedWork>
      beside;  ///< parts of `compute` with overlapping exchanges, one after the other
  std::vector<Exchange> exchanges;  ///< after `compute`; they block the unit
  std::vector<Exchange> gathered;   ///< parameters, before `compute`
  std::vector<Exchange> reduced;  ///< gradients, after `compute`; only the optimizer waits for them
};

/// The passes of one micro-batch through one chunk of a stage's layers, in time order.
struct ChunkPlan {
  std::vector<StepSegment> forward;
  /// Of the first micro-batch of an iteration, if it gathers parameters; else empty.
  std::vector<StepSegment> first_forward;
  std::vector<StepSegment> backward;
  std::vector<StepSegment> last_backward;  ///< of the last micro-batch of an iteration
  std::vector<StepSegment> weights;        ///< if the schedule separates them from `backward`
  std::vector<StepSegment> last_weights;
};

/// The work of a unit of a pipeline stage in an iteration. All units of a stage have the same
/// exchanges in the same segments.
struct StageWork {
  std::vector<ChunkPlan> chunks;
  Bytes sent{};  ///< activations of a micro-batch, to an adjacent stage
  SimTime optimizer{};
  std::vector<Exchange> gathered_after;  ///< parameters, after a sharded optimizer step
  SimTime launch_wait{};                 ///< part of the passes: waiting for launches by the host
};

/// Factors on the compute times of a unit.
struct SlowdownFactors {
  double forward = 1;
  double backward = 1;
  double optimizer = 1;
};

/// Ranks that run in lockstep: the tensor- and context-parallel ranks of a stage of one replica,
/// which exchange data in every layer. In a job with data parallelism only, a unit is one rank.
struct Unit {
  std::size_t work = 0;  ///< index into StepPlan::work
  SlowdownFactors slower;
  std::vector<TenantSlot> time_sliced;  ///< its ranks on time-sliced GPUs
};

/// Units that communicate on an axis.
struct CommunicatorGroup {
  Axis axis{};
  std::vector<std::size_t> units;  ///< of one stage, ascending
};

/// The input of a rank of the first stage, and the unit that waits for it.
struct UnitFeed {
  std::size_t unit = 0;
  InputFeed feed;
  std::optional<std::size_t> also{};  ///< a unit that begins at the same time as `unit`
};

/// Dependencies of the optimizer.
enum class OptimizerStart : std::uint8_t {
  kOwnGradients,
  kAllGradients,  ///< gradient clipping needs the norm of all
};

/// An iteration of a training job. Units are numbered by stage, then by replica. Units with
/// identical work can be listed once. A data-parallel job has one stage and one group.
struct StepPlan {
  Parallelism parallelism;
  std::size_t replicas = 1;     ///< listed replicas
  std::vector<StageWork> work;  ///< shared by units with the same work
  std::vector<Unit> units;
  std::vector<UnitFeed> feeds;            ///< empty: the input is ready
  std::vector<CommunicatorGroup> groups;  ///< of every axis with exchanges
  OptimizerStart optimizer = OptimizerStart::kAllGradients;
  bool barrier = true;  ///< all units end an iteration before any begins the next
  std::int64_t prefetched_batches = 2;
  std::size_t prefetched_segments = 1;  ///< number of segments whose parameters are gathered ahead
  /// gradient reductions overlap later backward work; else they follow the pass
  bool overlap = true;
  SimTime bucket_wait{};  ///< from the last gradient of a reduction to its start
  /// GPU time of each exchange on time-sliced GPUs, in the order of TrainingGraph::traffic.
  /// Exchanges after the end of the list need none.
  std::vector<SimTime> exchange_work;

  [[nodiscard]] std::size_t stages() const { return units.size() / replicas; }
  [[nodiscard]] std::size_t stage_of(std::size_t unit) const { return unit / replicas; }
  [[nodiscard]] const StageWork& work_of(std::size_t unit) const { return work[units[unit].work]; }
  [[nodiscard]] bool has_time_slices() const;
};

/// Compute times of a unit in an iteration.
struct PassTimes {
  SimTime forward{};
  SimTime backward{};

  [[nodiscard]] SimTime all() const { return forward + backward; }
};
/// Without slowdown.
[[nodiscard]] PassTimes passes_of(const StageWork& work, std::int64_t micro_batches);
/// With the slowdown of the plan.
[[nodiscard]] PassTimes passes_of(const StepPlan& plan, std::size_t unit);

/// Returns `time` times `factor`.
[[nodiscard]] SimTime slowed(SimTime time, double factor);

}  // namespace vgsim::training
