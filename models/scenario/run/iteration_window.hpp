#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/run/iteration_record.hpp"
#include "sim/recorder.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// Largest number of recorded lanes.
inline constexpr std::size_t kMostLanes = 64;

/// Adds a step, or extends the last one if it is the same activity.
void append(std::vector<PathStep>& path, PathStep step);

void sort_spans(Lane& lane);

/// An iteration, in simulated time.
struct IterationWindow {
  SimTime begin{};
  SimTime end{};

  /// Adds a span clipped to the iteration. Extends the last span if it is the same activity.
  void add(std::vector<Span>& spans, SimTime from, SimTime to, const char* kind,
           std::string what) const;
  /// Adds a task before the iteration at the corresponding time of a later iteration.
  void add_shifted(std::vector<Span>& spans, const TaskRecord& task, const char* kind) const;
};

}  // namespace vgsim::scenario
