#pragma once

#include <vector>

#include "models/training/step_graph.hpp"
#include "sim/critical_path.hpp"
#include "sim/recorder.hpp"

namespace vgsim::training {

/// Where one rank's iteration goes; the parts add up to `total` exactly.
struct Breakdown {
  SimTime data_wait{};              ///< weights are ready, the batch is not
  SimTime compute{};                ///< forward and backward
  SimTime exposed_communication{};  ///< backward is done, gradients are not reduced
  SimTime optimizer{};
  SimTime total{};
};

/// The iterations of a simulated training run.
struct StepTimes {
  SimTime first{};       ///< of the first iteration, input pipeline empty
  SimTime steady{};      ///< of the last one simulated, or of the mean one
  std::size_t rank = 0;  ///< whose optimizer ended last; the breakdown is this rank's
  Breakdown breakdown;   ///< of that iteration
  /// Why the last iteration took as long as it did; covers it exactly.
  std::vector<PathSegment> critical_path;
  SimTime hidden_traffic{};  ///< gradients on their way while that rank computes
  SimTime steady_begin{};    ///< of the last iteration
  SimTime steady_end{};
};

/// Reads them off the timeline of a training graph, which must have kept the records that the
/// last iteration's critical path leads through.
///
/// Where iterations differ at random, `mean` takes the mean of all that were kept but the first of
/// the run, part by part, and the sum of the parts for the whole.
[[nodiscard]] StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline,
                                        bool mean = false);

}  // namespace vgsim::training
