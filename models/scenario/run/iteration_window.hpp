#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/run/iteration_record.hpp"
#include "sim/recorder.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// Of very many lanes the first are shown.
inline constexpr std::size_t kMostLanes = 64;

/// Adds a step, or prolongs the last one where it goes on with the same.
void append(std::vector<PathStep>& path, PathStep step);

void sort_spans(Lane& lane);

/// An iteration in the time of its run.
struct IterationWindow {
  SimTime begin{};
  SimTime end{};

  /// A stretch of time as the iteration sees it: cut at both its ends. Prolongs the last span where
  /// it goes on with the same.
  void add(std::vector<Span>& spans, SimTime from, SimTime to, const char* kind,
           std::string what) const;
  /// A time that lies before the iteration stands where that of a later iteration would.
  void add_shifted(std::vector<Span>& spans, const TaskRecord& task, const char* kind) const;
};

}  // namespace vgsim::scenario
