#pragma once

#include <cstddef>
#include <vector>

#include "models/training/parallelism.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::training {

/// What one rank of a pipeline stage does with one micro-batch in one chunk of its layers.
struct ChunkTimes {
  SimTime forward{};  ///< with the communication that nothing hides
  SimTime backward{};
};

/// One rank of a pipeline stage; the others of its stage do the same at the same time.
struct StageTimes {
  std::vector<ChunkTimes> chunks;
  SimTime send{};    ///< to the rank of a neighbouring stage: one micro-batch's activations
  SimTime reduce{};  ///< gradients among data-parallel ranks
  SimTime optimizer{};
  SimTime gather{};  ///< of parameters after a sharded optimizer
};

/// Tasks of one iteration of a rank of each stage.
struct PipelineGraph {
  enum Category : std::uint32_t { kForward, kBackward, kSend, kReduce, kOptimizer, kGather };

  TaskGraph graph;                    ///< subject = stage
  std::vector<TaskId> last_backward;  ///< by stage
  std::vector<TaskId> optimizer;
  std::vector<TaskId> end;
};

/// Builds it: stages work in pipeline_order(), a micro-batch enters a stage when it was sent there.
/// Gradients are reduced after the last micro-batch, or from its backward pass on with `overlap`;
/// the optimizer follows, and then parameters are gathered.
[[nodiscard]] PipelineGraph build_pipeline(const Parallelism& parallelism,
                                           const std::vector<StageTimes>& stages, bool overlap);

}  // namespace vgsim::training
