#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/training/split_step.hpp"
#include "sim/critical_path.hpp"
#include "sim/recorder.hpp"

namespace vgsim::training {

/// Where one unit's iteration goes; the parts add up to `total` exactly.
struct UnitBreakdown {
  SimTime data_wait{};  ///< parameters are ready, the batch is not
  SimTime compute{};    ///< forward and backward passes
  /// What no pass hides, by axis: of several at a time, the first of tensor, context, expert, data
  /// and pipeline.
  std::map<Axis, SimTime> exposed;
  SimTime waiting{};  ///< for other units: the bubble of a pipeline, or slower replicas
  SimTime optimizer{};
  SimTime total{};
};

/// The iterations of a job that splits more than its data.
struct SplitTimes {
  SimTime first{};       ///< of the first iteration, input pipeline empty
  SimTime steady{};      ///< of the last one simulated, or of the mean one
  std::size_t unit = 0;  ///< that ends last; of several the one that computes longest
  UnitBreakdown breakdown;
  std::vector<SimTime> hidden;  ///< by unit: its traffic while it computes, in that iteration
  std::vector<PathSegment> critical_path;  ///< of the last iteration; covers it exactly
  SimTime steady_begin{};                  ///< of the last iteration
  SimTime steady_end{};
};

/// Reads them off a timeline that kept the records of the last iteration's critical path. Where
/// iterations differ at random, `mean` takes the mean of those that were kept but the first.
/// `unit`: whose breakdown is read, instead of that of the unit that ends last.
[[nodiscard]] SplitTimes read_split_times(const SplitGraph& split, const Timeline& timeline,
                                          bool mean = false,
                                          std::optional<std::size_t> unit = std::nullopt);

/// What an iteration of so many micro-batches takes, in which the last that were simulated come
/// `more` times over: `longer` has some that `shorter` has not. All times but the critical path.
[[nodiscard]] SplitTimes prolonged(const SplitTimes& shorter, const SplitTimes& longer,
                                   std::int64_t more);

}  // namespace vgsim::training
