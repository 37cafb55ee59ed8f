#include "models/training/goodput.hpp"

#include <algorithm>
#include <cmath>

namespace vgsim::training {

double expected_time(const FailingJob& job) {
  const double piece = job.every > 0 ? std::min(job.every, job.work) : job.work;
  if (piece <= 0) return 0.0;
  const double saving = job.every > 0 ? job.save : 0.0;
  const double between = job.between_failures;
  return job.work / piece * between * std::exp(job.restart / between) *
         std::expm1((piece + saving) / between);
}

double best_interval(const FailingJob& job) {
  return std::sqrt(2 * job.save * job.between_failures);
}

}  // namespace vgsim::training
