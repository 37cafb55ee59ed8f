#include "topology/input/suggest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vgsim::input {
namespace suggest_test {

using Words = std::vector<std::string>;

TEST(EditDistance, CountsEditsAndSwapsOfNeighbours) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("bandwidht", "bandwidth"), 1u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // 2 if a part could be edited twice.
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("RING", "ring"), 0u);
}

RC_GTEST_PROP(EditDistance, IsSymmetricAndZeroForItself, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c'));
  const std::string a = *word;
  const std::string b = *word;
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT(edit_distance(a, a) == 0u);
  RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
}

TEST(Suggest, GivesTheNearestFirstAndAtMostThree) {
  EXPECT_EQ(suggest("rign", {"tree", "ring", "rings", "sign", "rig"}),
            (Words{"rig", "ring", "sign"}));
  EXPECT_EQ(suggest("Bandwidth", {"latency", "bandwidth"}), Words{"bandwidth"});
}

TEST(Suggest, GivesNothingWithoutANearWord) {
  EXPECT_EQ(suggest("bandwidth", {"kind", "latency"}), Words{});
  EXPECT_EQ(suggest("x", {"ab", "a", "q"}), Words{});
  EXPECT_EQ(suggest("", {"a", "abc"}), Words{});
  EXPECT_EQ(suggest(std::string(101, 'a'), {std::string(101, 'a')}), Words{});
}

TEST(Suggest, LongWordsMayDifferInAThirdOfTheirLetters) {
  EXPECT_EQ(suggest("abcdefghi", {"abcdef"}), Words{"abcdef"});
  EXPECT_EQ(suggest("abcdefghi", {"abcde"}), Words{});
}

TEST(Suggest, DoesNotDependOnTheOrderOfCandidates) {
  EXPECT_EQ(suggest("esx1", {"esx4", "esx3", "esx2"}), suggest("esx1", {"esx2", "esx3", "esx4"}));
}

TEST(OneOf, ListsAFewAndOfManyTheNearest) {
  EXPECT_EQ(one_of("cc", {"b", "a", "c"}), "one of: b, a, c");
  std::vector<std::string> many;
  for (int i = 10; i < 60; ++i) many.push_back("part-" + std::to_string(i));
  const std::string text = one_of("part-42", many, "vgsim catalog parts");
  EXPECT_TRUE(text.starts_with("one of: part-42, ")) << text;
  EXPECT_TRUE(text.ends_with(" and 42 more: vgsim catalog parts")) << text;
}

}  // namespace suggest_test
}  // namespace vgsim::input
