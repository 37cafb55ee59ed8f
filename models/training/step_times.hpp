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

/// The time of one unit's iteration by cause; the parts add up to `total` exactly.
struct Breakdown {
  SimTime data_wait{};  ///< parameters are ready, the batch is not
  SimTime compute{};    ///< forward and backward passes
  /// Exchange time that no pass hides, by axis. Of concurrent exchanges the first of tensor,
  /// context, expert, data and pipeline counts.
  std::map<Axis, SimTime> exposed;
  SimTime waiting{};  ///< for other units: pipeline bubble or slower replicas
  SimTime optimizer{};
  SimTime total{};
};

/// Iteration times of a simulated training run.
struct StepTimes {
  SimTime first{};       ///< of the first iteration, with an empty input pipeline
  SimTime steady{};      ///< of the last simulated iteration, or the mean
  std::size_t unit = 0;  ///< the unit that ends last
  Breakdown breakdown;   ///< of that unit in that iteration
  /// Traffic that overlaps computing in the last iteration, by unit. Without a barrier, only that
  /// of `unit`.
  std::vector<SimTime> hidden;
  std::vector<PathSegment> critical_path;  ///< of the last iteration; covers all of it
  SimTime steady_begin{};                  ///< of the last iteration
  SimTime steady_end{};
};

/// Reads the times from a timeline that kept the records of the last iteration's critical path.
///
/// If iterations vary at random, `mean` averages each part over the kept iterations, except the
/// first of the run. `unit` selects the unit of the breakdown. Default: the unit that ends last;
/// among several, the one that computes longest, or without a barrier the first.
[[nodiscard]] StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline,
                                        bool mean = false,
                                        std::optional<std::size_t> unit = std::nullopt);

/// The length of an iteration beyond the longer of two that were simulated: `more` additional
/// rounds of micro-batches, where `longer` has `between` more rounds than `shorter`.
struct Extrapolation {
  std::int64_t more = 0;
  std::int64_t between = 1;

  /// Extrapolates a time from its values in the two iterations.
  [[nodiscard]] SimTime of(SimTime shorter, SimTime longer) const;
};

/// The times of an iteration with that many micro-batches. The critical path is not extrapolated.
[[nodiscard]] StepTimes extrapolated(const StepTimes& shorter, const StepTimes& longer,
                                     const Extrapolation& by);

}  // namespace vgsim::training
