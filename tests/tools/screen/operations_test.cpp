// Operations of each layout on the first screen.

#include "tools/text/operations.hpp"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace operations_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> sentences(const std::string& layouts) {
  const auto result = scenario::validate_scenario(
      input::make_source("operations.json", R"({"name": "operations", "vsphere": "8.0U3",
    "hosts": {"e[1-2]": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb"}},
    "vms": {"v": {"host": "e1", "nics": {}, "gpus": {"mode": "passthrough"}}},
    "job": {"collective": "all_reduce", "sizes": ["1 MB"]}, "layouts": {)" +
                                                layouts + "}}"),
      test::library(), cli::loader_relative_to("."));
  if (!result) throw std::runtime_error(input::render(result.error()));
  return text::operation_sentences(*result);
}

std::string vgpu(const std::string& profile, const std::string& more = "") {
  return R"({"vms": {"v": {"gpus": {"mode": "vgpu", "count": 1, "profile": ")" + profile + R"("})" +
         more + "}}}";
}

TEST(Operations, WithTheSameReasonAreNamedTogether) {
  EXPECT_THAT(sentences(R"("p": {})"),
              ElementsAre("vMotion, DRS, suspend and snapshots: no, its GPUs are passed through; "
                          "HA: yes"));
}

// Broadcom KB 313479: 100 s where no limit is set.
TEST(Operations, StateTheirConditions) {
  const auto all = sentences(R"("g": )" + vgpu("grid_a100d-80c"));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all.front(), HasSubstr("vMotion: yes, stops it for up to 3.7"));
  EXPECT_THAT(all.front(), HasSubstr("over 10 Gbit/s; DRS: no, above its stun limit of 100 s"));
}

TEST(Operations, OfARefusedLayoutAreNotShown) {
  const auto all =
      sentences(R"("p": {}, "g": )" + vgpu("grid_a100d-80c", R"(, "requires": ["drs"])"));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all.front(), testing::StartsWith("p: "));
}

}  // namespace operations_test
}  // namespace vgsim
