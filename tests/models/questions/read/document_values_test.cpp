#include "models/questions/read/document_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/questions/check/figures.hpp"

namespace vgsim {
namespace document_values_test {

using scenario::simulated_fingerprint;
using scenario::simulated_values;
using ::testing::ElementsAre;
using ::testing::Pair;

TEST(DocumentValues, StandUnderTheirPointers) {
  EXPECT_THAT(
      simulated_values(test::parsed(
          R"({"job": {"sizes": ["1 B", 2], "a/b": {}}, "name": "n", "expect": {"*": {}}})")),
      ElementsAre(Pair("/job/a~1b", "{}"), Pair("/job/sizes", "[\"1 B\",2]"), Pair("/name", "n")));
}

TEST(DocumentValues, AreTheSameHoweverTheyAreWritten) {
  const auto one = test::parsed(R"({"a": {"x": 1.0, "y": 2}, "description": "one"})");
  const auto other = test::parsed(R"({"a": {"y": 2, "x": 1.0}, "description": "other"})");
  EXPECT_EQ(simulated_values(one), simulated_values(other));
  EXPECT_EQ(simulated_fingerprint(one), simulated_fingerprint(other));
}

TEST(DocumentValues, LongOnesAreShortAndStillTellApart) {
  const std::string much(1000, 'x');
  const auto one = simulated_values(test::parsed("{\"note\": \"" + much + "1\"}"));
  const auto other = simulated_values(test::parsed("{\"note\": \"" + much + "2\"}"));
  EXPECT_LT(one.at("/note").size(), 60U);
  EXPECT_NE(one, other);
}

TEST(DocumentValues, ManyAreToldTogether) {
  std::string hosts;
  for (int h = 0; h < 900; ++h) {
    hosts += "\"h" + std::to_string(h) + R"(": {"server": "s", "gpus": "g"},)";
  }
  const auto values = simulated_values(
      test::parsed("{\"hosts\": {" + hosts + R"("last": {}}, "job": {"network": "n"}})"));
  EXPECT_EQ(values.size(), 902U);
  EXPECT_EQ(values.at("/job/network"), "n");
  EXPECT_EQ(values.at("/hosts/h7"), R"({"gpus":"g","server":"s"})");
}

}  // namespace document_values_test
}  // namespace vgsim
