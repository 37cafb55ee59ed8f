#include "topology/input/meant_names.hpp"

#include <gmock/gmock.h>

namespace vgsim::input {
namespace meant_names_test {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<KnownName> kGpus = {{"a10", {"NVIDIA A10"}},
                                      {"a100-pcie-40gb", {"NVIDIA A100 PCIe 40GB"}},
                                      {"a100-pcie-80gb", {"NVIDIA A100 PCIe 80GB"}},
                                      {"h100-pcie-80gb", {"NVIDIA H100 PCIe 80GB"}},
                                      {"h100-sxm5-80gb", {"NVIDIA H100 SXM5 80GB", "H100 HGX"}},
                                      {"l40s", {"NVIDIA L40S"}}};

TEST(MeantNames, ANameIsItself) {
  EXPECT_THAT(meant_names("a10", kGpus), ElementsAre("a10"));
  EXPECT_THAT(meant_names("l40s", kGpus), ElementsAre("l40s"));
}

TEST(MeantNames, CaseAndWhatSeparatesWordsDoNotMatter) {
  for (const char* text : {"H100-PCIE-80GB", "H100 PCIe 80GB", "h100_pcie_80gb",
                           "NVIDIA H100 PCIe 80GB", " h100  pcie (80gb)"}) {
    EXPECT_THAT(meant_names(text, kGpus), ElementsAre("h100-pcie-80gb")) << text;
  }
  EXPECT_THAT(meant_names("hgx h100", kGpus), ElementsAre("h100-sxm5-80gb")) << "an alias";
}

TEST(MeantNames, SomeWordsStandForAllNamesThatHaveThem) {
  EXPECT_THAT(meant_names("h100", kGpus), ElementsAre("h100-pcie-80gb", "h100-sxm5-80gb"));
  EXPECT_THAT(meant_names("A100", kGpus), ElementsAre("a100-pcie-40gb", "a100-pcie-80gb"));
  EXPECT_THAT(meant_names("h100 80gb", kGpus), ElementsAre("h100-pcie-80gb", "h100-sxm5-80gb"));
}

TEST(MeantNames, LettersStandForAWordWithANumberBehindThem) {
  EXPECT_THAT(meant_names("h100 sxm", kGpus), ElementsAre("h100-sxm5-80gb"));
}

TEST(MeantNames, APartOfANumberIsAnotherNumber) {
  EXPECT_THAT(meant_names("a1", kGpus), IsEmpty());
  EXPECT_THAT(meant_names("h1", kGpus), IsEmpty());
  EXPECT_THAT(meant_names("l40", kGpus), IsEmpty());
}

TEST(MeantNames, WordsInARowGoBeforeWordsApart) {
  const std::vector<std::string> profiles = {"grid_a100d-3-40c", "grid_a100d-4-40c",
                                             "grid_a100d-40c"};
  EXPECT_THAT(meant_names("A100D-40C", profiles), ElementsAre("grid_a100d-40c"));
  EXPECT_THAT(meant_names("a100d 3 40c", profiles), ElementsAre("grid_a100d-3-40c"));
}

TEST(MeantNames, CalledMeansTheSameWords) {
  const std::vector<KnownName> servers = {{"xe9680", {"PowerEdge XE9680"}},
                                          {"xe9680l", {"PowerEdge XE9680L"}}};
  EXPECT_THAT(names_called("poweredge xe9680", servers), ElementsAre("xe9680"));
  EXPECT_THAT(names_called("PowerEdge", servers), IsEmpty()) << "though meant_names finds both";
  EXPECT_THAT(names_called("", servers), IsEmpty());
}

TEST(MeantNames, NothingStandsForNothing) {
  EXPECT_THAT(meant_names("", kGpus), IsEmpty());
  EXPECT_THAT(meant_names("-- ?", kGpus), IsEmpty());
  EXPECT_THAT(meant_names(std::string(100'000, 'a'), kGpus), IsEmpty());
}

}  // namespace meant_names_test
}  // namespace vgsim::input
