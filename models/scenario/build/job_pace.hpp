#pragma once

#include <cstddef>

namespace vgsim::scenario {

/// How a job runs beside other jobs, relative to running alone.
struct JobPace {
  double iteration = 1;
  double epoch = 1;
  double training = 1;
};

/// With more jobs, all are taken to run all the time, slowdowns are not attributed to jobs, and
/// draws of the uncertain parameters keep the slowdowns of the run without draws.
inline constexpr std::size_t kMostFollowedJobs = 8;

}  // namespace vgsim::scenario
