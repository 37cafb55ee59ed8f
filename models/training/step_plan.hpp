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

/// How one rank gets its input batches; a part that does nothing is left out.
struct InputFeed {
  std::optional<FlowWork> storage_read;  ///< storage to host memory, or to the GPU
  std::optional<FlowWork> decode;        ///< cores decode and augment
  std::optional<FlowWork> host_to_device;
  SimTime copy_latency{};

  [[nodiscard]] bool any() const { return storage_read || decode || host_to_device; }
};

/// Where the host launches too slowly, the GPU has nothing to do for a share of each pass. Work and
/// gaps alternate; where the work of a piece ends others may have the GPU.
struct TurnGaps {
  double share = 0;
  SimTime piece{};  ///< of work between two of them
};

/// A rank of a unit whose GPU others use in turns.
struct TenantSlot {
  std::size_t seat = 0;  ///< its number, as TurnTask has it
  TurnGaps gaps;
};

/// Layers that a unit computes in one go.
struct StepSegment {
  SimTime compute{};
  std::vector<OverlappedWork> beside;  ///< parts of it with exchanges, one after the other
  std::vector<Exchange> exchanges;     ///< after it; the unit waits for them
  std::vector<Exchange> gathered;      ///< parameters, before it
  std::vector<Exchange> reduced;       ///< gradients, after it; nothing waits but the optimizer
};

/// The passes of one micro-batch through one chunk of a stage's layers, in the order of time.
struct ChunkPlan {
  std::vector<StepSegment> forward;
  std::vector<StepSegment> backward;
  std::vector<StepSegment> last_backward;  ///< of an iteration's last micro-batch
  std::vector<StepSegment> weights;        ///< where the schedule has them apart from `backward`
  std::vector<StepSegment> last_weights;
};

/// What a unit of a pipeline stage does in an iteration. All units of a stage have the same
/// exchanges in the same segments.
struct StageWork {
  std::vector<ChunkPlan> chunks;
  Bytes sent{};  ///< activations of a micro-batch, to a neighbouring stage
  SimTime optimizer{};
  std::vector<Exchange> gathered_after;  ///< parameters, after a sharded optimizer
  SimTime held_up{};  ///< of the passes, what they take longer because the host launches too slowly
};

/// How many times longer a unit computes than its work says.
struct SlowdownFactors {
  double forward = 1;
  double backward = 1;
  double optimizer = 1;
};

/// Ranks that go step by step: those of a stage of one replica that exchange something in every
/// layer (tensor- and context-parallel ones). Of a job that is data-parallel alone, one rank.
struct Unit {
  std::size_t work = 0;  ///< index into StepPlan::work
  SlowdownFactors slower;
  std::vector<TenantSlot> turns;  ///< of its ranks whose GPUs others use in turns
};

/// Units whose ranks meet in the exchanges of an axis.
struct CommunicatorGroup {
  Axis axis{};
  std::vector<std::size_t> units;  ///< of one stage, ascending
};

/// How a rank of the first stage gets its input, and which unit waits for it.
struct UnitFeed {
  std::size_t unit = 0;
  InputFeed feed;
};

/// What an optimizer waits for.
enum class OptimizerStart : std::uint8_t {
  kOwnGradients,
  kAllGradients,  ///< the norm of all is clipped
};

/// An iteration of a training job. Units are numbered stage by stage, in each by replica; those
/// that do the very same may be listed once. A data-parallel job has one stage and one group.
struct StepPlan {
  Parallelism parallelism;
  std::size_t replicas = 1;     ///< that are listed
  std::vector<StageWork> work;  ///< units that do the same share it
  std::vector<Unit> units;
  std::vector<UnitFeed> feeds;            ///< none: input is ready
  std::vector<CommunicatorGroup> groups;  ///< of every axis that anything is exchanged on
  OptimizerStart optimizer = OptimizerStart::kAllGradients;
  bool barrier = true;  ///< all units end an iteration before any begins the next one
  std::int64_t prefetched_batches = 2;
  std::size_t prefetched_segments = 1;  ///< whose parameters are gathered ahead of their use
  bool overlap = true;    ///< gradients are reduced while others are computed, not after each pass
  SimTime bucket_wait{};  ///< from the last gradient of a reduction until it may begin
  /// By exchange, in the order of TrainingGraph::traffic: for how long it needs the GPUs that are
  /// shared in turns. Of those behind its end nothing is known: they need none.
  std::vector<SimTime> exchange_work;

  [[nodiscard]] std::size_t stages() const { return units.size() / replicas; }
  [[nodiscard]] std::size_t stage_of(std::size_t unit) const { return unit / replicas; }
  [[nodiscard]] const StageWork& work_of(std::size_t unit) const { return work[units[unit].work]; }
  [[nodiscard]] bool takes_turns() const;
};

/// What a unit computes in an iteration.
struct PassTimes {
  SimTime forward{};
  SimTime backward{};

  [[nodiscard]] SimTime all() const { return forward + backward; }
};
/// As far as nothing slows it down.
[[nodiscard]] PassTimes passes_of(const StageWork& work, std::int64_t micro_batches);
/// As slow as the plan has it.
[[nodiscard]] PassTimes passes_of(const StepPlan& plan, std::size_t unit);

/// So many times as long.
[[nodiscard]] SimTime slowed(SimTime time, double factor);

}  // namespace vgsim::training
