#include "tools/probe/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace vgsim::probe {
namespace sampler_test {

/// Work whose time depends on how long it has run; the clock is what it took.
class TimedWork : public PreparedWork {
 public:
  explicit TimedWork(std::function<double(double now)> one) : one_(std::move(one)) {}
  double seconds(std::size_t repeats) override {
    double total = 0;
    for (std::size_t r = 0; r < repeats; ++r) total += one_(now_ + total);
    now_ += total;
    return measured_ ? measured_(total) : total;
  }
  void measure_by(std::function<double(double)> clock) { measured_ = std::move(clock); }
  [[nodiscard]] double now() const { return now_; }

 private:
  std::function<double(double)> one_;
  std::function<double(double)> measured_;
  double now_ = 0;
};

calibration::Timing sampled(TimedWork& work, const SamplingSettings& settings = {}) {
  return sample(work, settings, [&] { return work.now(); });
}

TEST(Sampler, RunsOfAColdDeviceDoNotCount) {
  TimedWork work([](double now) { return 1e-4 * (1 + std::exp(-now / 0.02)); });
  const calibration::Timing timing = sampled(work);
  EXPECT_NEAR(timing.median_s, 1e-4, 1e-6);
  EXPECT_TRUE(timing.steady);
}

TEST(Sampler, ReportsADeviceThatKeepsSlowingDown) {
  TimedWork work([](double now) { return 1e-3 * (1 + now); });
  EXPECT_FALSE(sampled(work).steady);
}

TEST(Sampler, RepeatsWorkThatIsShorterThanAStepOfTheClock) {
  TimedWork work([](double) { return 2.2e-6; });
  work.measure_by([](double total) { return std::floor(total / 0.5e-6) * 0.5e-6; });
  const calibration::Timing timing = sampled(work);
  EXPECT_NEAR(timing.median_s, 2.2e-6, 0.001 * 2.2e-6);
  EXPECT_GE(timing.repeats, 400u);
}

TEST(Sampler, EndsWithItsBudgetButTakesTheLeastSamples) {
  TimedWork work([](double) { return 0.3; });
  const calibration::Timing timing = sampled(work, {.budget_s = 1.0, .least = 3});
  EXPECT_EQ(timing.samples, 3u);
  EXPECT_LT(work.now(), 3.0);
}

TEST(Sampler, WorkThatTakesNoTimeEnds) {
  TimedWork work([](double) { return 0.0; });
  EXPECT_GT(sampled(work, {.most = 9}).samples, 0u);
}

}  // namespace sampler_test
}  // namespace vgsim::probe
