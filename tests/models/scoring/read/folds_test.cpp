#include "models/scoring/read/folds.hpp"

#include <gmock/gmock.h>

namespace vgsim::scoring {
namespace folds_test {

using ::testing::HasSubstr;

tl::expected<Folds, input::Diagnostics> read(const std::string& folds) {
  return read_folds(input::make_source(
      "folds.json", R"({"format": "vgsim.training-folds/1", "folds": )" + folds + "}"));
}

std::string errors_in(const std::string& folds) {
  const auto found = read(folds);
  return found ? "" : input::render(found.error());
}

TEST(Folds, EachCaseHasTheConstantsOfItsFold) {
  const auto folds = read(R"([{"cases": ["a", "b"], "parameters": {"kernel_gap": "4 us"}},
                              {"cases": ["c"], "parameters": {"layer_share": 0.5}}])");
  ASSERT_TRUE(folds) << input::render(folds.error());
  EXPECT_EQ(parameters_of(*folds, "b")->at("kernel_gap"), 4e6);  // picoseconds
  EXPECT_EQ(parameters_of(*folds, "c")->at("layer_share"), 0.5);
  EXPECT_EQ(parameters_of(*folds, "d"), nullptr);
}

TEST(Folds, AreReadStrictly) {
  EXPECT_THAT(errors_in(R"([{"cases": ["a"], "parameters": {}},
                            {"cases": ["a"], "parameters": {}}])"),
              HasSubstr("case \"a\" is in two folds"));
  EXPECT_THAT(errors_in(R"([{"cases": ["a"], "parameters": {"kernel_gab": "4 us"}},
                            {"cases": ["b"], "parameters": {"kernel_gap": 4}}])"),
              HasSubstr("did you mean \"kernel_gap\"?"));
}

}  // namespace folds_test
}  // namespace vgsim::scoring
