#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::scenario {

/// An activity of one lane within an iteration.
struct Span {
  SimTime begin{};  ///< since the beginning of the iteration
  SimTime end{};
  std::string kind;  ///< "forward", "backward", "gradients", "optimizer", "storage read" ...
  std::string what;  ///< description: "bucket 3 of 25 MiB"
};

/// Activities of equivalent ranks or of the network, possibly overlapping.
struct Lane {
  std::string name;         ///< "esx01/gpu0", "AllReduce"
  std::size_t ranks = 0;    ///< number of equivalent ranks; 0 for other lanes
  std::vector<Span> spans;  ///< by begin, then end
};

/// A step of the critical path.
struct PathStep {
  SimTime begin{};  ///< since the beginning of the iteration
  SimTime end{};
  std::string kind;  ///< kind of activity, as in Span
  std::string what;
  /// The limiting link and its kind; empty for computing or latency.
  std::string resource;
  std::string resource_kind;
};

/// The steady iteration of a training job.
struct IterationRecord {
  SimTime length{};
  std::vector<Lane> lanes;              ///< ranks first
  std::vector<PathStep> critical_path;  ///< contiguous, with total `length`
};

}  // namespace vgsim::scenario
