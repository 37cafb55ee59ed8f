#include "topology/input/folded_names.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "topology/input/name_ranges.hpp"

namespace vgsim::input {
namespace folded_names_test {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<std::string> folded(const std::vector<std::string>& names) {
  std::vector<std::string> texts;
  for (const FoldedNames& text : fold_names(names)) texts.push_back(text.names);
  return texts;
}

std::vector<std::string> expanded(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    const auto some = expand_names(text);
    EXPECT_TRUE(some) << some.error();
    if (some) names.insert(names.end(), some->begin(), some->end());
  }
  return names;
}

TEST(FoldedNames, NumbersThatFollowEachOtherAreARange) {
  EXPECT_THAT(folded({"esx01", "esx03", "esx02", "esx07"}), ElementsAre("esx[01-03,07]"));
  EXPECT_THAT(folded({"esx9", "esx10", "esx11"}), ElementsAre("esx[9-11]"));
  EXPECT_THAT(folded({"esx099", "esx100"}), ElementsAre("esx[099-100]"));
  EXPECT_THAT(folded({"lab"}), ElementsAre("lab"));
  EXPECT_THAT(folded({"lab", "esx1"}), ElementsAre("esx1", "lab"));
}

TEST(FoldedNames, TheNumberThatDiffersIsCounted) {
  EXPECT_THAT(folded({"r2-esx01.dc1.corp", "r2-esx02.dc1.corp"}),
              ElementsAre("r2-esx[01-02].dc1.corp"));
  EXPECT_THAT(folded({"r1n1", "r1n2", "r1n3", "r2n1", "r2n2", "r2n3"}),
              ElementsAre("r1n[1-3]", "r2n[1-3]"));
}

TEST(FoldedNames, PaddingIsKept) {
  const std::vector<std::string> names = {"a1", "a01", "a2", "a02", "a10", "a9", "a09", "a010"};
  EXPECT_THAT(expanded(folded(names)), UnorderedElementsAreArray(names));
}

TEST(FoldedNames, TextsThatWouldBeTooLongAreSeveral) {
  std::vector<std::string> names;
  for (int i = 1; i < 5000; i += 3) names.push_back(fmt::format("vm{:04}", i));
  const auto texts = folded(names);
  EXPECT_GT(texts.size(), 1U);
  EXPECT_EQ(expanded(texts), names);
}

TEST(FoldedNames, PairsStayTogether) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (int i = 1; i <= 400; ++i) {
    pairs.emplace_back(fmt::format("vm{}", i * 8), fmt::format("esx{:03}.lab", 401 - i));
  }
  pairs.emplace_back("db", "esx900.lab");
  std::vector<std::pair<std::string, std::string>> back;
  for (const FoldedNames& text : fold_pairs(pairs)) {
    const auto names = expand_names(text.names);
    const auto others = expand_names(text.others);
    ASSERT_TRUE(names && others);
    ASSERT_EQ(names->size(), text.count);
    ASSERT_EQ(others->size(), text.count);
    for (std::size_t i = 0; i < text.count; ++i) back.emplace_back((*names)[i], (*others)[i]);
  }
  EXPECT_THAT(back, UnorderedElementsAreArray(pairs));
}

}  // namespace folded_names_test
}  // namespace vgsim::input
