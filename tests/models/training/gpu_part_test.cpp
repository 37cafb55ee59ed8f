#include "models/training/gpu_part.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace vgsim::training {
namespace gpu_part_test {

using namespace literals;

constexpr GpuPart kWhole;

double seconds(const GpuPart& part, const MeasuredStep& step, std::int64_t batch) {
  return to_seconds(step_on(part, step, batch).forward);
}

TEST(MeasuredSteps, AreTakenOverWhereTheyWereMeasured) {
  const MeasuredStep step{{{64, 28'300_us}, {128, 29'600_us}, {512, 36'600_us}}, {}};
  EXPECT_NEAR(seconds(kWhole, step, 64), 0.0283, 1e-9);
  EXPECT_NEAR(seconds(kWhole, step, 512), 0.0366, 1e-9);
}

TEST(MeasuredSteps, OfLaunchesAndWorkAreTakenApart) {
  // 30 ms of launches and 0.1 ms of work for each sample: the square root of the sum of squares.
  const auto time = [](double batch) {
    return SimTime{std::llround(1e12 * std::hypot(0.030, 0.0001 * batch))};
  };
  const MeasuredStep step{{{100, time(100)}, {200, time(200)}, {800, time(800)}}, {}};
  EXPECT_NEAR(seconds(kWhole, step, 400), 0.05, 1e-6);
  // On a quarter of the GPU all work takes four times as long: 30 ms and 0.4 ms for each sample.
  const GpuPart quarter{0.25, 0.25, 0.5, 0.0};
  EXPECT_NEAR(seconds(quarter, step, 100), 0.05, 1e-6);
  EXPECT_NEAR(to_seconds(step_on(quarter, step, 100).launch_wait), 0.01, 1e-6);
}

TEST(MeasuredSteps, OfOneBatchAreAllWork) {
  const MeasuredStep step{{{1, 10_ms}}, {}};
  EXPECT_NEAR(seconds({0.5, 0.5, 0.3, 0.0}, step, 1), 0.02, 1e-9);
  EXPECT_EQ(step_on(kWhole, step, 1).launch_wait, SimTime{0});
  const MeasuredStep idle{{{1, 10_ms, 0.6}}, {}};
  EXPECT_NEAR(to_seconds(step_on(kWhole, idle, 1).launch_wait), 0.004, 1e-9);
}

TEST(MeasuredSteps, WaitForWhatTheyUseMore) {
  const MeasuredStep step{{{1, 10_ms}}, {}};
  EXPECT_NEAR(seconds({0.5, 0.25, 0.0, 0.0}, step, 1), 0.02, 1e-9);
  EXPECT_NEAR(seconds({0.5, 0.25, 1.0, 0.0}, step, 1), 0.04, 1e-9);
  EXPECT_NEAR(seconds({0.5, 0.25, 1.0, 0.2}, step, 1), 0.034, 1e-9) << "a fifth does not slow down";
}

TEST(MeasuredSteps, ShowHowLaunchesAndWorkOverlap) {
  // 10 ms of launches hide up to 10 ms of work, 2.5 ms for each sample, or add up with it.
  const MeasuredStep hidden{{{1, 10_ms}, {2, 10_ms}, {8, 20_ms}, {16, 40_ms}}, {}};
  const MeasuredStep added{{{1, 12'500_us}, {2, 15_ms}, {8, 30_ms}, {16, 50_ms}}, {}};
  const GpuPart quarter{0.25, 0.25, 0.5, 0.0};
  EXPECT_NEAR(seconds(quarter, hidden, 2), 0.02, 0.002);
  EXPECT_NEAR(seconds(quarter, added, 2), 0.03, 1e-9);
}

TEST(MeasuredSteps, OfASingleStreamTakeTurns) {
  MeasuredStep step{{{1, 2_ms}, {1001, 1002_ms}}, {}};
  const GpuPart quarter{0.25, 0.125, 0.0, 0.0, 1.0, 1e9};
  step.in_turn = true;
  EXPECT_NEAR(seconds(quarter, step, 1), 0.005, 1e-9)
      << "1 ms, and 1 ms of work four times as long";
  step.weights_read = 500_kB;
  EXPECT_NEAR(seconds(quarter, step, 1), 0.0085, 1e-9) << "0.5 ms of reading take 4 ms";
  step.weights_read = 1_GB;
  EXPECT_NEAR(seconds(quarter, step, 1), 0.012, 1e-9) << "the time of the whole step sets a limit";
}

TEST(MeasuredSteps, HaveKernelsThatDoNotFillTheGpu) {
  // The busy time does not grow with the batch, so nothing is known of what kernels fill.
  const MeasuredStep step{{{1, 10_ms, 1.0}, {2, 10_ms, 1.0}}, {}};
  const GpuPart quarter{0.25, 0.25, 0.5, 0.0};
  EXPECT_NEAR(seconds(quarter, step, 1), 0.01 * (4 + 0.25) / 2, 1e-9);
  // Six ms are busy, of which two do not grow.
  const MeasuredStep idle{{{1, 10_ms, 0.4}, {2, 10_ms, 0.6}}, {}};
  EXPECT_NEAR(seconds(quarter, idle, 2), std::hypot(0.008, 0.002 * 2.125 + 0.004 * 4), 1e-9);
}

RC_GTEST_PROP(MeasuredStepProperties, ASmallerPartIsNeverFaster, ()) {
  const auto share = [] { return *rc::gen::inRange(1, 100) / 100.0; };
  MeasuredStep step;
  step.in_turn = *rc::gen::arbitrary<bool>();
  step.weights_read = Bytes{*rc::gen::inRange(0, 1'000'000)};
  SimTime time{*rc::gen::inRange<std::int64_t>(1'000, 1'000'000'000)};
  std::int64_t batch = 1;
  const bool is_busy_known = *rc::gen::arbitrary<bool>();
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    step.points.push_back({batch, time});
    if (is_busy_known) step.points.back().busy = share();
    batch += *rc::gen::inRange(1, 100);
    time += SimTime{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
  }
  GpuPart larger{share(), share(), share(), share(), 1.0, 1e9};
  GpuPart smaller = larger;
  smaller.compute *= share();
  smaller.memory *= share();
  RC_ASSERT(step_on(smaller, step, batch).forward >= step_on(larger, step, batch).forward);
  const SimTime whole = step_on(kWhole, step, batch).forward;
  RC_ASSERT(step_on(larger, step, batch).forward >= whole);
  // Not by more than the share of what it has least of.
  const double times = 1 / std::min(smaller.compute, smaller.memory);
  RC_ASSERT(seconds(smaller, step, batch) <= to_seconds(whole) * times * (1 + 1e-9) + 1e-9);
}

RC_GTEST_PROP(MeasuredStepProperties, TheHostDoesNotSlowDown, ()) {
  const double busy = *rc::gen::inRange(1, 100) / 100.0;
  MeasuredStep step{{{1, 10_ms, busy}, {2, 10_ms, busy}}, {}};
  step.in_turn = *rc::gen::arbitrary<bool>();
  const GpuPart quarter{0.25, 0.25, 0.5, 0.0};
  RC_ASSERT(seconds(quarter, step, 1) <= 0.01 * (1 - busy) + 0.01 * busy * 4 + 1e-9);
}

}  // namespace gpu_part_test
}  // namespace vgsim::training
