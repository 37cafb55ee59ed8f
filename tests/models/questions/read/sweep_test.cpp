#include "models/questions/read/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace sweep_test {

tl::expected<Sweep, input::Diagnostics> read(const std::string& body) {
  const auto document = input::read_json(input::make_source(
      "sweep.json",
      R"({"format": "vgsim.sweep/1", "name": "s", "scenario": "a.json", )" + body + "}"));
  if (!document) return tl::unexpected(document.error());
  return read_sweep(*document);
}

std::string errors_of(const std::string& body) {
  const auto sweep = read(body);
  return sweep ? "" : input::render(sweep.error());
}

std::string at(const Sweep& sweep, std::uint64_t index) {
  std::string text;
  for (const Override& each : overrides_of(sweep, index)) {
    text += each.pointer + "=" + input::to_canonical_string(each.value) + " ";
  }
  return text;
}

TEST(Sweep, GridHasEveryCombinationOnceAndTheLastPlaceRunsFastest) {
  const auto sweep = read(R"("vary": {"/a": [1, 2], "/b": ["x", "y", null]})");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points, 6U);
  std::set<std::string> points;
  for (std::uint64_t i = 0; i < 6; ++i) points.insert(at(*sweep, i));
  EXPECT_EQ(points.size(), 6U);
  EXPECT_EQ(at(*sweep, 0), "/a=1 /b=\"x\" ");
  EXPECT_EQ(at(*sweep, 1), "/a=1 /b=\"y\" ");
  EXPECT_EQ(at(*sweep, 5), "/a=2 /b=null ");
}

TEST(Sweep, PlacesTogetherAreOneDimension) {
  const auto sweep =
      read(R"("vary": {"/a": [1, 2]}, "together": [{"/p": "fp16", "/g": "fp16"}, {"/p": "fp32"}])");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points, 4U);
  EXPECT_EQ(at(*sweep, 2), "/a=2 /p=\"fp16\" /g=\"fp16\" ");
  EXPECT_EQ(at(*sweep, 3), "/a=2 /p=\"fp32\" ");
  EXPECT_EQ(sweep->pointers(), (std::vector<std::string>{"/a", "/p", "/g"}));
}

TEST(Sweep, BillionsOfPointsTakeNoMemory) {
  const auto sweep = read(R"("vary": {
      "/a": {"from": 1, "to": 1000000, "steps": 1000000},
      "/b": {"from": 0.0, "to": 1.0, "steps": 1001}})");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points, 1'001'000'000U);
  EXPECT_EQ(at(*sweep, 1'000'999'999), "/a=1000000 /b=1 ");
  EXPECT_EQ(at(*sweep, 499'999 * 1001 + 999), "/a=500000 /b=0.999 ");
}

TEST(Sweep, TooManyPointsAreRefused) {
  EXPECT_NE(errors_of(R"("vary": {
      "/a": {"from": 1, "to": 1000000000, "steps": 1000000000},
      "/b": {"from": 1, "to": 1000000000, "steps": 1000000000}})")
                .find("E644"),
            std::string::npos);
}

TEST(Sweep, SaysAllThatIsWrongAndTheNearestWord) {
  const std::string errors =
      errors_of(R"("vary": {"a": [1], "/b": {"from": 1, "to": 2, "step": 3}}, "metrisc": [])");
  EXPECT_NE(errors.find("did you mean \"steps\"?"), std::string::npos) << errors;
  EXPECT_NE(errors.find("did you mean \"metrics\"?"), std::string::npos) << errors;
  EXPECT_NE(errors.find("a JSON pointer such as"), std::string::npos) << errors;
}

TEST(Sweep, AnUnknownFigureIsRefusedWithTheNearest) {
  const std::string errors = errors_of(R"("metrics": ["iteration_time", "time_s@1 GiB"])");
  EXPECT_NE(errors.find("did you mean \"iteration_time_s\"?"), std::string::npos) << errors;
  EXPECT_NE(errors.find("\n1 error\n"), std::string::npos) << "the other one is a figure";
}

TEST(Sweep, APlaceIsSweptOnce) {
  EXPECT_NE(errors_of(R"("vary": {"/a": [1]}, "together": [{"/a": 2}])").find("E643"),
            std::string::npos);
}

TEST(Sweep, StepsThatRoundToTheSameNumberAreRefused) {
  EXPECT_NE(errors_of(R"("vary": {"/a": {"from": 0, "to": 1, "steps": 11}})").find("E641"),
            std::string::npos);
}

constexpr const char* kDraws = R"("random": {"points": 2000, "seed": 7, "over": {
  "/n": {"integer": [3, 6]}, "/x": {"uniform": [0, 10]}, "/y": {"log_uniform": [1, 10000]},
  "/c": {"choice": ["a", "b"]}, "/r": {"uniform": ["10 Gbit/s", "20 Gbit/s"]}}})";

TEST(Draws, LieInTheirRangesAsTheyShould) {
  const auto sweep = read(kDraws);
  ASSERT_TRUE(sweep);
  ASSERT_EQ(sweep->points, 2000U);
  std::set<std::int64_t> whole;
  double sum = 0.0;
  int below_100 = 0;
  int first_choice = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto set = overrides_of(*sweep, i);
    whole.insert(set[0].value.integer());
    sum += set[1].value.number();
    below_100 += set[2].value.number() < 100.0 ? 1 : 0;
    first_choice += set[3].value.string() == "a" ? 1 : 0;
  }
  EXPECT_EQ(whole, (std::set<std::int64_t>{3, 4, 5, 6}));
  // Standard deviations of the means: 10 / sqrt(12 * 2000) = 0.065 and sqrt(0.25 / 2000) = 0.011.
  EXPECT_NEAR(sum / 2000, 5.0, 0.26);
  EXPECT_NEAR(below_100 / 2000.0, 0.5, 0.045);
  EXPECT_NEAR(first_choice / 2000.0, 0.5, 0.045);
}

TEST(Draws, AnotherPlaceAndMoreDrawsShiftNone) {
  const auto sweep = read(R"("random": {"points": 10, "seed": 7, "over": {
      "/x": {"uniform": [0.0, 1.0]}}})");
  const auto more = read(R"("vary": {"/v": [1, 2]}, "random": {"points": 20, "seed": 7, "over": {
      "/a": {"choice": [1, 2, 3]}, "/x": {"uniform": [0.0, 1.0]}}})");
  ASSERT_TRUE(sweep && more);
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::string x = at(*sweep, i);
    EXPECT_NE(at(*more, i).find(x), std::string::npos);
    EXPECT_NE(at(*more, 20 + i).find(x), std::string::npos) << "each point of the grid has them";
  }
}

TEST(Draws, OneWayToDrawEachPlace) {
  EXPECT_NE(errors_of(R"("random": {"points": 1, "over": {"/x": {"uniform": [0, 1],
                                                                 "choice": [1]}}})")
                .find("E642"),
            std::string::npos);
  EXPECT_NE(
      errors_of(R"("random": {"points": 1, "over": {"/x": {"integer": [0.5, 1]}}})").find("E641"),
      std::string::npos);
}

}  // namespace sweep_test
}  // namespace vgsim::scenario
