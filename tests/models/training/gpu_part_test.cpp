#include "models/training/gpu_part.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace vgsim::training {
namespace gpu_part_test {

using namespace literals;

constexpr GpuPart kWhole;

double seconds(const GpuPart& part, const MeasuredStep& step, std::int64_t batch) {
  return to_seconds(step_on(part, step, batch).forward);
}

TEST(MeasuredSteps, AreTakenOverWhereTheyWereMeasured) {
  const MeasuredStep step{{{64, 28'300_us}, {128, 29'600_us}, {512, 36'600_us}}, {}, {}};
  EXPECT_NEAR(seconds(kWhole, step, 64), 0.0283, 1e-9);
  EXPECT_NEAR(seconds(kWhole, step, 512), 0.0366, 1e-9);
}

TEST(MeasuredSteps, OfLaunchesAndWorkAreTakenApart) {
  // 30 ms of launches and 0.1 ms of work for each sample: the square root of the sum of squares.
  const auto time = [](double batch) {
    return SimTime{std::llround(1e12 * std::hypot(0.030, 0.0001 * batch))};
  };
  const MeasuredStep step{{{100, time(100)}, {200, time(200)}, {800, time(800)}}, {}, {}};
  EXPECT_NEAR(seconds(kWhole, step, 400), 0.05, 1e-6);
  // On a quarter of the GPU all work takes four times as long: 30 ms and 0.4 ms for each sample.
  const GpuPart quarter{0.25, 0.25, 0.5, 0.0};
  EXPECT_NEAR(seconds(quarter, step, 100), 0.05, 1e-6);
  EXPECT_NEAR(to_seconds(step_on(quarter, step, 100).launch_wait), 0.01, 1e-6);
}

TEST(MeasuredSteps, OfOneBatchAreAllWork) {
  const MeasuredStep step{{{1, 10_ms}}, {}, {}};
  EXPECT_NEAR(seconds({0.5, 0.5, 0.3, 0.0}, step, 1), 0.02, 1e-9);
  EXPECT_EQ(step_on(kWhole, step, 1).launch_wait, SimTime{0});
  const MeasuredStep idle{{{1, 10_ms}}, 0.6, {}};
  EXPECT_NEAR(to_seconds(step_on(kWhole, idle, 1).launch_wait), 0.004, 1e-9);
}

TEST(MeasuredSteps, WaitForWhatTheyUseMore) {
  const MeasuredStep step{{{1, 10_ms}}, {}, {}};
  EXPECT_NEAR(seconds({0.5, 0.25, 0.0, 0.0}, step, 1), 0.02, 1e-9);
  EXPECT_NEAR(seconds({0.5, 0.25, 1.0, 0.0}, step, 1), 0.04, 1e-9);
  EXPECT_NEAR(seconds({0.5, 0.25, 1.0, 0.2}, step, 1), 0.034, 1e-9) << "a fifth does not slow down";
}

RC_GTEST_PROP(MeasuredStepProperties, ASmallerPartIsNeverFaster, ()) {
  const auto share = [] { return *rc::gen::inRange(1, 100) / 100.0; };
  MeasuredStep step;
  SimTime time{*rc::gen::inRange<std::int64_t>(1'000, 1'000'000'000)};
  std::int64_t batch = 1;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    step.points.push_back({batch, time});
    batch += *rc::gen::inRange(1, 100);
    time += SimTime{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
  }
  GpuPart larger{share(), share(), share(), share()};
  GpuPart smaller = larger;
  smaller.compute *= share();
  smaller.memory *= share();
  RC_ASSERT(step_on(smaller, step, batch).forward >= step_on(larger, step, batch).forward);
  RC_ASSERT(step_on(larger, step, batch).forward >= step_on(kWhole, step, batch).forward);
}

}  // namespace gpu_part_test
}  // namespace vgsim::training
