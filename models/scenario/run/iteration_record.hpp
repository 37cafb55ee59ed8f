#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::scenario {

/// Something that one lane does for a while, within an iteration.
struct Span {
  SimTime begin{};  ///< since the beginning of the iteration
  SimTime end{};
  std::string kind;  ///< "forward", "backward", "gradients", "optimizer", "storage read" ...
  std::string what;  ///< in words: "bucket 3 of 25 MiB"
};

/// What happens one after the other, or side by side: on ranks that do the same, or in the network.
struct Lane {
  std::string name;         ///< "esx01/gpu0", "AllReduce"
  std::size_t ranks = 0;    ///< that do the same at the same time; 0 for what is no rank
  std::vector<Span> spans;  ///< by begin, then end
};

/// A stretch of the chain that made the iteration as long as it was.
struct PathStep {
  SimTime begin{};  ///< since the beginning of the iteration
  SimTime end{};
  std::string kind;  ///< what was done, as in Span
  std::string what;
  /// The link that held it back, and its kind; empty where it was a computation or a latency.
  std::string resource;
  std::string resource_kind;
};

/// The steady iteration of a training job.
struct IterationRecord {
  SimTime length{};
  std::vector<Lane> lanes;              ///< ranks first
  std::vector<PathStep> critical_path;  ///< back to back, adds up to `length`
};

}  // namespace vgsim::scenario
