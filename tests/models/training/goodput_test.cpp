#include "models/training/goodput.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace vgsim::training {
namespace goodput_test {

constexpr double kHour = 3600;

/// The mean time of long simulated runs.
double played(const FailingJob& job, int runs) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> failure(1 / job.between_failures);
  const auto pieces = static_cast<int>(std::lround(job.work / job.every));
  double sum = 0;
  for (int run = 0; run < runs; ++run) {
    double time = 0;
    double next = failure(random);
    for (int piece = 0; piece < pieces;) {
      if (next > job.every + job.save) {
        next -= job.every + job.save;
        time += job.every + job.save;
        ++piece;
        continue;
      }
      time += next;
      // A restart can fail as well and begins again.
      next = failure(random);
      while (next < job.restart) {
        time += next;
        next = failure(random);
      }
      time += job.restart;
      next -= job.restart;
    }
    sum += time;
  }
  return sum / runs;
}

TEST(Goodput, IsWhatPlayingTheFailuresGives) {
  const FailingJob job{100 * kHour, 10 * kHour, 2 * kHour, 300, 600};
  EXPECT_NEAR(expected_time(job) / played(job, 4000), 1.0, 0.01);
}

TEST(Goodput, WithoutFailuresIsTheWorkAndItsSaving) {
  const FailingJob job{100 * kHour, 1e15, 2 * kHour, 300, 600};
  EXPECT_NEAR(expected_time(job), 100 * kHour + 50 * 300, 1.0);
}

TEST(Goodput, IsBestNearTheIntervalThatYoungGives) {
  FailingJob job{100 * kHour, 20 * kHour, 0, 120, 600};
  job.every = best_interval(job);
  EXPECT_NEAR(job.every, std::sqrt(2.0 * 120 * 20 * kHour), 1e-6);
  const double best = expected_time(job);
  for (const double factor : {0.5, 2.0}) {
    FailingJob other = job;
    other.every *= factor;
    EXPECT_GT(expected_time(other), best);
  }
}

}  // namespace goodput_test
}  // namespace vgsim::training
