#include "sim/network.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace vgsim {
namespace network_test {

std::vector<Crossing> stored(std::vector<Crossing> crossings) {
  RouteTable routes;
  routes.add({{ResourceId{9}}});
  const auto result = routes.crossings(routes.add(std::move(crossings)));
  return {result.begin(), result.end()};
}

TEST(RouteTable, AddsUpRepeatedResourcesAndSorts) {
  const std::vector<Crossing> want{{ResourceId{1}, 2}, {ResourceId{4}, 5}};
  EXPECT_EQ(stored({{ResourceId{4}, 3}, {ResourceId{1}, 2}, {ResourceId{4}, 2}}), want);
}

TEST(RouteTable, DropsZeroCoefficients) {
  EXPECT_TRUE(stored({{ResourceId{4}, 0}}).empty());
  EXPECT_TRUE(stored({}).empty());
}

TEST(RouteTable, RefusesBadCoefficients) {
  EXPECT_THROW(stored({{ResourceId{0}, -1}}), std::invalid_argument);
  EXPECT_THROW(stored({{ResourceId{0}, INT64_MAX}, {ResourceId{0}, 1}}), OverflowError);
}

TEST(RouteTable, RefusesUnknownIds) {
  RouteTable routes;
  EXPECT_THROW(static_cast<void>(routes.crossings(RouteId{0})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(routes.crossings(RouteId{UINT32_MAX})), std::out_of_range);
}

TEST(ResourceTable, RefusesNegativeCapacities) {
  ResourceTable resources;
  EXPECT_THROW(resources.add(Ratio(-1)), std::invalid_argument);
  EXPECT_EQ(resources.add(Ratio(0)), ResourceId{0});
  EXPECT_EQ(resources.add(Ratio::of(1, 3)), ResourceId{1});
  EXPECT_EQ(resources.capacity(ResourceId{1}), Ratio::of(1, 3));
}

}  // namespace network_test
}  // namespace vgsim
