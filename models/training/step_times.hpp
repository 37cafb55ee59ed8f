#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/training/step_graph.hpp"
#include "sim/critical_path.hpp"
#include "sim/recorder.hpp"

namespace vgsim::training {

/// Where one unit's iteration goes; the parts add up to `total` exactly.
struct Breakdown {
  SimTime data_wait{};  ///< parameters are ready, the batch is not
  SimTime compute{};    ///< forward and backward passes
  /// What no pass hides, by axis: of several at a time, the first of tensor, context, expert, data
  /// and pipeline.
  std::map<Axis, SimTime> exposed;
  SimTime waiting{};  ///< for other units: the bubble of a pipeline, or slower replicas
  SimTime optimizer{};
  SimTime total{};
};

/// The iterations of a simulated training run.
struct StepTimes {
  SimTime first{};       ///< of the first iteration, input pipeline empty
  SimTime steady{};      ///< of the last one simulated, or of the mean one
  std::size_t unit = 0;  ///< that ends last
  Breakdown breakdown;   ///< of that unit in that iteration
  /// By unit: its traffic while it computes, in the last iteration. Without barrier of the one that
  /// is read alone.
  std::vector<SimTime> hidden;
  std::vector<PathSegment> critical_path;  ///< of the last iteration; covers it exactly
  SimTime steady_begin{};                  ///< of the last iteration
  SimTime steady_end{};
};

/// Reads them off a timeline that kept the records of the last iteration's critical path.
///
/// Where iterations differ at random, `mean` takes the mean of those that were kept but the first
/// of the run, part by part. `unit`: whose breakdown is read, instead of that of the unit that ends
/// last; of several the one that computes longest, or the first where no barrier makes all end
/// together.
[[nodiscard]] StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline,
                                        bool mean = false,
                                        std::optional<std::size_t> unit = std::nullopt);

/// How much longer an iteration is than the longer one of two that were simulated: by so many
/// rounds of micro-batches, where `longer` has `between` more of them than `shorter`.
struct Prolongation {
  std::int64_t more = 0;
  std::int64_t between = 1;

  /// What a time becomes that is so long in the two.
  [[nodiscard]] SimTime of(SimTime shorter, SimTime longer) const;
};

/// What an iteration of so many micro-batches takes. All times but the critical path.
[[nodiscard]] StepTimes prolonged(const StepTimes& shorter, const StepTimes& longer,
                                  const Prolongation& by);

}  // namespace vgsim::training
