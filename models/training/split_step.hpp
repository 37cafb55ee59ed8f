#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/training/layer_passes.hpp"
#include "models/training/parallelism.hpp"
#include "models/training/step_graph.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// Layers that a rank goes through in one go.
struct Piece {
  SimTime compute{};
  std::vector<Beside> beside;       ///< parts of it with exchanges, one after the other
  std::vector<Exchange> exchanges;  ///< after it; the rank waits for them
  std::vector<Exchange> gathered;   ///< parameters, before it
  std::vector<Exchange> reduced;    ///< gradients, after it; nothing waits but the optimizer
};

/// The passes of one micro-batch through one chunk of a stage's layers, in the order of time.
struct ChunkPlan {
  std::vector<Piece> forward;
  std::vector<Piece> backward;
  std::vector<Piece> last_backward;  ///< of an iteration's last micro-batch
  std::vector<Piece> weights;        ///< where the schedule has them apart from `backward`
  std::vector<Piece> last_weights;
};

/// What each rank of a pipeline stage does.
struct StagePlan {
  std::vector<ChunkPlan> chunks;
  Bytes sent{};  ///< activations of a micro-batch, to a neighbouring stage
  SimTime optimizer{};
  std::vector<Exchange> gathered_after;  ///< parameters, after a sharded optimizer
};

/// Units whose ranks meet in the exchanges of an axis. A unit is the tensor- and context-parallel
/// ranks of a stage of one replica: they exchange something in every layer, so go step by step.
struct Team {
  Axis axis{};
  std::vector<std::size_t> units;  ///< of one stage, ascending
};

/// How a rank of the first stage gets its input, and which unit waits for it.
struct UnitFeed {
  std::size_t unit = 0;
  InputFeed feed;
};

/// An iteration of a job that splits more than its data. Units are numbered stage by stage, in each
/// by replica; replicas that do the very same may be listed once.
struct SplitPlan {
  Parallelism parallelism;
  std::size_t replicas = 1;  ///< that are listed
  std::vector<StagePlan> stages;
  std::vector<double> slower;   ///< by unit: how many times longer it computes; none: alike
  std::vector<UnitFeed> feeds;  ///< none: input is ready
  std::vector<Team> teams;      ///< of every axis that anything is exchanged on
  std::int64_t prefetched_batches = 2;
  std::size_t prefetched_pieces = 1;  ///< whose parameters are gathered ahead of their use
  bool overlap = true;  ///< gradients are reduced while others are computed, not after each pass
};

/// Turns exchanges into tasks.
class Exchanger {
 public:
  Exchanger() = default;
  Exchanger(const Exchanger&) = delete;
  Exchanger& operator=(const Exchanger&) = delete;
  virtual ~Exchanger() = default;

  /// Of all groups of a team at once.
  [[nodiscard]] virtual collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t team,
                                                              const Exchange& exchange,
                                                              collectives::TaskLabel label) = 0;
  /// From each rank of a unit to the one with its place in another.
  [[nodiscard]] virtual collectives::CollectiveTasks send(TaskGraph& graph, std::size_t from,
                                                          std::size_t to, Bytes size,
                                                          collectives::TaskLabel label) = 0;
};

/// The tasks of one unit in every iteration.
struct UnitStep {
  std::vector<TaskId> passes;  ///< in order
  TaskId optimizer{};
  TaskId end{};  ///< of what it does in the iteration
};

/// An exchange in the graph, and who takes part.
struct Traffic {
  Axis axis{};
  std::vector<std::size_t> units;  ///< of a send: the one that waits for it
  collectives::CollectiveTasks tasks;
};

struct SplitGraph {
  TaskGraph graph;  ///< subject = unit, of an exchange the first
  std::vector<UnitStep> units;
  std::vector<Traffic> traffic;
  TaskId end{};  ///< of the iteration: all units begin the next one then
};

/// Lowers an iteration into tasks, to be run as often as the job has iterations.
///
/// Units work in pipeline_order(); a micro-batch enters a stage when it was sent there. Keys and
/// values go round beside scores of attention, and where they overlap sums beside products; all
/// other exchanges of a layer are waited for.
/// Exchanges of parameters and gradients of a stage follow each other, as on NCCL's stream:
/// parameters of a piece are asked for when the piece `prefetched_pieces` before it begins, behind
/// the gradients of the pieces that have ended by then (PyTorch's FullyShardedDataParallel). The
/// optimizers begin together, when all gradients are reduced: their norm is one of all. Iterations
/// begin when every unit has ended the one before.
[[nodiscard]] SplitGraph build_split_graph(const SplitPlan& plan, Exchanger& exchanger);

/// Of an exchange, by what is exchanged.
[[nodiscard]] Activity activity_of(const Exchange& exchange);

}  // namespace vgsim::training
