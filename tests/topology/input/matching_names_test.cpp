#include "topology/input/matching_names.hpp"

#include <gmock/gmock.h>

namespace vgsim::input {
namespace matching_names_test {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<KnownName> kGpus = {{"a10", {"NVIDIA A10"}},
                                      {"a100-pcie-40gb", {"NVIDIA A100 PCIe 40GB"}},
                                      {"a100-pcie-80gb", {"NVIDIA A100 PCIe 80GB"}},
                                      {"h100-pcie-80gb", {"NVIDIA H100 PCIe 80GB"}},
                                      {"h100-sxm5-80gb", {"NVIDIA H100 SXM5 80GB", "H100 HGX"}},
                                      {"l40s", {"NVIDIA L40S"}}};

TEST(MatchingNames, ANameIsItself) {
  EXPECT_THAT(matching_names("a10", kGpus), ElementsAre("a10"));
  EXPECT_THAT(matching_names("l40s", kGpus), ElementsAre("l40s"));
}

TEST(MatchingNames, CaseAndWhatSeparatesWordsDoNotMatter) {
  for (const char* text : {"H100-PCIE-80GB", "H100 PCIe 80GB", "h100_pcie_80gb",
                           "NVIDIA H100 PCIe 80GB", " h100  pcie (80gb)"}) {
    EXPECT_THAT(matching_names(text, kGpus), ElementsAre("h100-pcie-80gb")) << text;
  }
  EXPECT_THAT(matching_names("hgx h100", kGpus), ElementsAre("h100-sxm5-80gb")) << "an alias";
}

TEST(MatchingNames, WordsMatchAllNamesThatContainThem) {
  EXPECT_THAT(matching_names("h100", kGpus), ElementsAre("h100-pcie-80gb", "h100-sxm5-80gb"));
  EXPECT_THAT(matching_names("A100", kGpus), ElementsAre("a100-pcie-40gb", "a100-pcie-80gb"));
  EXPECT_THAT(matching_names("h100 80gb", kGpus), ElementsAre("h100-pcie-80gb", "h100-sxm5-80gb"));
}

TEST(MatchingNames, LettersMatchAWordWithANumberAfterThem) {
  EXPECT_THAT(matching_names("h100 sxm", kGpus), ElementsAre("h100-sxm5-80gb"));
}

TEST(MatchingNames, APartOfANumberIsAnotherNumber) {
  EXPECT_THAT(matching_names("a1", kGpus), IsEmpty());
  EXPECT_THAT(matching_names("h1", kGpus), IsEmpty());
  EXPECT_THAT(matching_names("l40", kGpus), IsEmpty());
}

TEST(MatchingNames, ConsecutiveWordsPrecedeSeparateWords) {
  const std::vector<std::string> profiles = {"grid_a100d-3-40c", "grid_a100d-4-40c",
                                             "grid_a100d-40c"};
  EXPECT_THAT(matching_names("A100D-40C", profiles), ElementsAre("grid_a100d-40c"));
  EXPECT_THAT(matching_names("a100d 3 40c", profiles), ElementsAre("grid_a100d-3-40c"));
}

TEST(MatchingNames, ExactMatchesHaveTheSameWords) {
  const std::vector<KnownName> servers = {{"xe9680", {"PowerEdge XE9680"}},
                                          {"xe9680l", {"PowerEdge XE9680L"}}};
  EXPECT_THAT(exactly_matching_names("poweredge xe9680", servers), ElementsAre("xe9680"));
  EXPECT_THAT(exactly_matching_names("PowerEdge", servers), IsEmpty())
      << "though matching_names finds both";
  EXPECT_THAT(exactly_matching_names("", servers), IsEmpty());
}

TEST(MatchingNames, AnEmptyTextMatchesNothing) {
  EXPECT_THAT(matching_names("", kGpus), IsEmpty());
  EXPECT_THAT(matching_names("-- ?", kGpus), IsEmpty());
  EXPECT_THAT(matching_names(std::string(100'000, 'a'), kGpus), IsEmpty());
}

}  // namespace matching_names_test
}  // namespace vgsim::input
