#include "topology/input/name_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace vgsim::input {
namespace name_ranges_test {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;

TEST(ExpandNames, KeepsZeroPadding) {
  EXPECT_EQ(expand_names("esx[01-04]"), (Names{"esx01", "esx02", "esx03", "esx04"}));
  EXPECT_EQ(expand_names("esx[8-11]"), (Names{"esx8", "esx9", "esx10", "esx11"}));
  EXPECT_EQ(expand_names("esx[08-11].lab"),
            (Names{"esx08.lab", "esx09.lab", "esx10.lab", "esx11.lab"}));
}

TEST(ExpandNames, ReadsListsAndProducts) {
  EXPECT_EQ(expand_names("n[1,3,5-7]"), (Names{"n1", "n3", "n5", "n6", "n7"}));
  EXPECT_EQ(expand_names("r[1-2]n[0-1]"), (Names{"r1n0", "r1n1", "r2n0", "r2n1"}));
}

TEST(ExpandNames, ATextWithoutRangeIsOneName) {
  EXPECT_EQ(expand_names("vmnic4"), Names{"vmnic4"});
  EXPECT_EQ(expand_names("a-b,c"), Names{"a-b,c"});
}

TEST(ExpandNames, BadRangesAreErrorsWithAReason) {
  const auto error = [](std::string_view text) {
    const auto names = expand_names(text);
    return names ? std::string("accepted") : names.error();
  };
  EXPECT_THAT(error(""), HasSubstr("empty"));
  EXPECT_THAT(error("esx[4-1]"), HasSubstr("4 is larger than 1"));
  EXPECT_THAT(error("esx[1-004]"), HasSubstr("padded"));
  EXPECT_THAT(error("esx[01-100]"), HasSubstr("padded"));
  EXPECT_THAT(error("esx[1-4"), HasSubstr("do not match"));
  EXPECT_THAT(error("esx1-4]"), HasSubstr("do not match"));
  EXPECT_THAT(error("esx[]"), HasSubstr("neither a number"));
  EXPECT_THAT(error("esx[a-c]"), HasSubstr("neither a number"));
  EXPECT_THAT(error("esx[1-2-3]"), HasSubstr("neither a number"));
  EXPECT_THAT(error("esx[1,,2]"), HasSubstr("neither a number"));
  EXPECT_THAT(error("esx[-1]"), HasSubstr("neither a number"));
  EXPECT_THAT(error("esx[1-1000000000]"), HasSubstr("\"1-1000000000\" is too many"));
  EXPECT_THAT(error("esx[1-99999999999999999999]"), HasSubstr("is too many"));
  EXPECT_THAT(error("esx[1000000000]"), HasSubstr("is too large"));
  EXPECT_THAT(error("esx[1-3,2]"), HasSubstr("\"esx2\" twice"));
  EXPECT_THAT(error("[1,11][1,11]"), HasSubstr("\"111\" twice"));
}

TEST(ExpandNames, OneHundredThousandNamesAreTheLimit) {
  EXPECT_EQ(expand_names("e[1-100000]")->size(), kMaxExpandedNames);
  EXPECT_EQ(expand_names("e[1-100]f[1-1000]")->size(), kMaxExpandedNames);
  EXPECT_FALSE(expand_names("e[1-100001]"));
  EXPECT_FALSE(expand_names("e[0-999999999]"));
  EXPECT_FALSE(expand_names("e[1-1000]f[1-1000]"));
  EXPECT_FALSE(expand_names("[1-999][1-999][1-999][1-999][1-999][1-999][1-999]"));
}

TEST(HasRange, OnlyForBracketsAroundNumbers) {
  EXPECT_TRUE(has_range("esx[01-04]"));
  EXPECT_TRUE(has_range("[x] and [4]"));
  EXPECT_TRUE(has_range("[[1]"));
  EXPECT_FALSE(has_range("esx01"));
  EXPECT_FALSE(has_range("see [note 4]"));
  EXPECT_FALSE(has_range("[]"));
  EXPECT_FALSE(has_range("[1"));
}

TEST(MatchesPattern, StarsQuestionMarksAndRanges) {
  EXPECT_TRUE(matches_pattern("train01", "train*"));
  EXPECT_TRUE(matches_pattern("train", "train*"));
  EXPECT_TRUE(matches_pattern("a-train-b", "*train*"));
  EXPECT_FALSE(matches_pattern("trai", "train*"));
  EXPECT_FALSE(matches_pattern("train01", "train"));
  EXPECT_TRUE(matches_pattern("esx1", "esx?"));
  EXPECT_FALSE(matches_pattern("esx12", "esx?"));
  EXPECT_TRUE(matches_pattern("esx03", "esx[01-04]"));
  EXPECT_FALSE(matches_pattern("esx3", "esx[01-04]"));
  EXPECT_FALSE(matches_pattern("esx05", "esx[01-04]"));
  EXPECT_TRUE(matches_pattern("esx12.lab", "esx[8-12]*"));
  EXPECT_FALSE(matches_pattern("esx012", "esx[8-12]"));
  EXPECT_TRUE(matches_pattern("anything", "*"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_FALSE(matches_pattern("", "?"));
}

TEST(MatchesPattern, BracketsWithoutARangeArePlainCharacters) {
  EXPECT_TRUE(matches_pattern("a[b]", "a[b]"));
  EXPECT_TRUE(matches_pattern("a[", "a["));
}

TEST(MatchesPattern, TakesNoExponentialTime) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(matches_pattern(std::string(2000, 'a'), stars + "b"));
}

RC_GTEST_PROP(MatchesPatternProperty, AgreesWithTheExpansion, ()) {
  const std::string pattern = *rc::gen::element<std::string>(
      "e[1-12]", "e[01-12]", "[1,3]x[08-11]", "e[0-3,5,007-010]", "e[9-11][1-2]", "e[00-02]");
  const std::string name = *rc::gen::element<std::string>("e", "", "1x", "3x") +
                           *rc::gen::element<std::string>("", "0", "00", "1") +
                           std::to_string(*rc::gen::inRange(0, 13));
  const Names names = *expand_names(pattern);
  const bool listed = std::find(names.begin(), names.end(), name) != names.end();
  RC_ASSERT(matches_pattern(name, pattern) == listed);
}

TEST(NaturalLess, ComparesDigitsAsNumbers) {
  Names names = {"esx10", "esx2", "esx1", "esx02", "esx", "esy1", "esx2b", "esx2a", "Esx3"};
  std::sort(names.begin(), names.end(), natural_less);
  EXPECT_EQ(names,
            (Names{"Esx3", "esx", "esx1", "esx02", "esx2", "esx2a", "esx2b", "esx10", "esy1"}));
}

TEST(NaturalLess, NumbersMayBeLongerThanAnyInteger) {
  EXPECT_TRUE(natural_less("n" + std::string(100, '8'), "n" + std::string(100, '9')));
  EXPECT_TRUE(natural_less("n9", "n" + std::string(100, '1')));
}

RC_GTEST_PROP(NaturalLessProperty, IsATotalOrder, ()) {
  const auto name = rc::gen::container<std::string>(rc::gen::element('a', '0', '1', '2', '-'));
  const std::string a = *name;
  const std::string b = *name;
  const std::string c = *name;
  RC_ASSERT(natural_less(a, b) + natural_less(b, a) + (a == b) == 1);
  if (natural_less(a, b) && natural_less(b, c)) RC_ASSERT(natural_less(a, c));
}

}  // namespace name_ranges_test
}  // namespace vgsim::input
