#include <gtest/gtest.h>

#include "models/scoring/kinds/collective_prediction.hpp"

namespace vgsim::scoring {
namespace collective_error_test {

constexpr SimTime us(std::int64_t count) { return SimTime{count * 1'000'000}; }
constexpr TimeInterval exactly(std::int64_t count) { return {us(count), us(count), us(count)}; }

MeasuredPoint measured_in(SimTime time) { return {Bytes{1 << 20}, time, {}, {}}; }

/// The only point of a case.
Point point_of(const MeasuredPoint& measured, const PredictedPoint& predicted) {
  CollectiveCase one;
  one.points = {measured};
  return compare(one, {"all_reduce", 2, 1, {predicted}}).series.at(0).points.at(0);
}

/// A point measured as 100 us.
Point point_of(const PredictedPoint& predicted) {
  return point_of(measured_in(us(100)), predicted);
}

double error_of(const PredictedPoint& predicted) { return *point_of(predicted).error; }

TEST(CollectiveError, IsRelativeToTheMeasurement) {
  EXPECT_DOUBLE_EQ(error_of({exactly(125), 1.0}), 0.25);
  EXPECT_DOUBLE_EQ(error_of({exactly(80), 1.0}), -0.20);
}

TEST(CollectiveError, ARateGivesTheTimeByItsDefinition) {
  // 1 MB in 40 us is 25 GB/s algbw; with 8 ranks AllReduce has busbw 1.75 times that.
  const PredictedPoint predicted{exactly(40), 1.75};
  const Bytes size{1'000'000};
  EXPECT_DOUBLE_EQ(*point_of({size, {}, BytesPerSecond{25'000'000'000}, {}}, predicted).measured,
                   40e-6);
  EXPECT_DOUBLE_EQ(*point_of({size, {}, {}, BytesPerSecond{43'750'000'000}}, predicted).measured,
                   40e-6);
}

TEST(CollectiveError, APointThatWasNotMeasuredHasNone) {
  const Point blind = point_of({Bytes{8}, {}, {}, {}}, {exactly(200), 1.0});
  EXPECT_EQ(blind.role, Role::kBlind);
  EXPECT_FALSE(blind.is_scored());
  EXPECT_FALSE(blind.is_missing());
  EXPECT_DOUBLE_EQ(*blind.predicted, 200e-6);
}

std::vector<std::string> tags_of(Bytes size) {
  return point_of({size, {}, {}, {}}, {exactly(1), 1.0}).tags;
}

TEST(CollectiveSizes, HoldBothReadingsOfTheirUnits) {
  using Tags = std::vector<std::string>;
  EXPECT_EQ(tags_of(Bytes{4096}), Tags{"small"});
  EXPECT_EQ(tags_of(Bytes{4097}), Tags{});
  EXPECT_EQ(tags_of(Bytes{64'000}), Tags{"medium"});
  EXPECT_EQ(tags_of(Bytes{64 << 20}), Tags{"medium"});
  EXPECT_EQ(tags_of(Bytes{128 << 20}), Tags{});
  EXPECT_EQ(tags_of(Bytes{256'000'000}), Tags{"large"});
}

}  // namespace collective_error_test
}  // namespace vgsim::scoring
