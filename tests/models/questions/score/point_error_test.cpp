#include "models/questions/score/point_error.hpp"

#include <gtest/gtest.h>

namespace vgsim::scenario {
namespace point_error_test {

constexpr SimTime us(std::int64_t count) { return SimTime{count * 1'000'000}; }
constexpr TimeInterval exactly(std::int64_t count) { return {us(count), us(count), us(count)}; }

MeasuredPoint measured_in(SimTime time) { return {Bytes{1 << 20}, time, {}, {}}; }

/// The error of one point that was measured in 100 us.
PointError error_of(const PredictedPoint& predicted) {
  MeasuredCase measured;
  measured.points = {measured_in(us(100))};
  return point_errors(measured, {"all_reduce", 2, 1, {predicted}}).at(0);
}

TEST(PointError, IsRelativeToTheMeasurement) {
  const PointError slow = error_of({exactly(125), {}, {}, 1.0});
  EXPECT_DOUBLE_EQ(slow.error, 0.25);
  EXPECT_DOUBLE_EQ(slow.factor(), 1.25);
  const PointError fast = error_of({exactly(80), {}, {}, 1.0});
  EXPECT_DOUBLE_EQ(fast.error, -0.20);
  EXPECT_DOUBLE_EQ(fast.factor(), 1.25) << "a factor is the same both ways";
}

TEST(PointError, AMeasurementOnTheEdgeOfTheIntervalIsInside) {
  EXPECT_TRUE(error_of({{us(120), us(100), us(140)}, {}, {}, 1.0}).inside);
  EXPECT_TRUE(error_of({{us(90), us(80), us(100)}, {}, {}, 1.0}).inside);
  EXPECT_FALSE(error_of({{us(120), us(101), us(140)}, {}, {}, 1.0}).inside);
}

TEST(PointError, BetweenRingAndTreeThereIsNone) {
  const PointError between = error_of({exactly(150), exactly(150), exactly(90), 1.0});
  EXPECT_EQ(between.error, 0.0);
  EXPECT_TRUE(between.inside);
  EXPECT_DOUBLE_EQ(between.predicted_s, 150e-6) << "shown is what NCCL is thought to choose";
}

TEST(PointError, OutsideOfRingAndTreeTheNearerOneCounts) {
  EXPECT_DOUBLE_EQ(error_of({exactly(150), exactly(150), exactly(120), 1.0}).error, 0.20);
  EXPECT_DOUBLE_EQ(error_of({exactly(50), exactly(50), exactly(90), 1.0}).error, -0.10);
}

TEST(PointError, IntervalsOfBothAlgorithmsAddUp) {
  const TimeInterval ring{us(150), us(110), us(200)};
  const TimeInterval tree{us(120), us(99), us(130)};
  const PointError error = error_of({ring, ring, tree, 1.0});
  EXPECT_DOUBLE_EQ(error.low_s, 99e-6);
  EXPECT_DOUBLE_EQ(error.high_s, 200e-6);
  EXPECT_TRUE(error.inside);
}

TEST(PointError, ARateGivesTheTimeByItsDefinition) {
  // 1 MB in 40 us is 25 GB/s algbw; with 8 ranks AllReduce has busbw 1.75 times that.
  const Bytes size{1'000'000};
  EXPECT_DOUBLE_EQ(measured_seconds({size, {}, BytesPerSecond{25'000'000'000}, {}}, 1.75), 40e-6);
  EXPECT_DOUBLE_EQ(measured_seconds({size, {}, {}, BytesPerSecond{43'750'000'000}}, 1.75), 40e-6);
}

TEST(PointError, BlindPointsAreLeftOut) {
  MeasuredCase measured;
  measured.points = {{Bytes{8}, {}, {}, {}}, measured_in(us(100)), {Bytes{16}, {}, {}, {}}};
  const PredictedPoint predicted{exactly(200), {}, {}, 1.0};
  const auto errors =
      point_errors(measured, {"all_reduce", 2, 1, {predicted, predicted, predicted}});
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_DOUBLE_EQ(errors[0].error, 1.0);
}

}  // namespace point_error_test
}  // namespace vgsim::scenario
