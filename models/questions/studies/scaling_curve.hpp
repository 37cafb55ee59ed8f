#pragma once

#include <string>
#include <vector>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct ScalingPoint {
  std::size_t machines = 0;  ///< VMs, or hosts on bare metal
  std::size_t ranks = 0;
  double samples_per_s = 0;
  double iteration_s = 0;
  double efficiency = 1;  ///< samples/s per rank, relative to the first point
};

struct ScalingCurve {
  std::string layout;
  std::string machine;               ///< "VM" or "host"
  std::vector<ScalingPoint> points;  ///< by machines, without failed runs
  std::string left_out;              ///< why it was not computed; empty if it was
};

/// Runs a training job on the first 1, 2, 4, ... of its VMs (or hosts on bare metal), and on all of
/// them. The rest of the job is unchanged, so that each GPU has the same work (weak scaling),
/// unless the job fixes its global batch.
[[nodiscard]] ScalingCurve scaling_curve(const Studied& studied, const LayoutResult& layout);

/// Names as a short list of patterns, with ranges for consecutive numbers, such as "esx[01-04]".
[[nodiscard]] std::vector<std::string> as_patterns(const std::vector<std::string>& names);

}  // namespace vgsim::scenario
