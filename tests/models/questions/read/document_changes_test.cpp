// Differences between two layouts.

#include "models/questions/read/document_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/scenario/read/layouts.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace document_changes_test {

std::vector<std::string> changes(const std::string& base, const std::string& first,
                                 const std::string& second) {
  const std::string text = R"({"name": "x", "job": {"network": "resnet-50"}, )" + base +
                           R"(, "layouts": {"a": )" + first + R"(, "b": )" + second + "}}";
  input::Diagnostics diagnostics;
  const auto layouts = scenario::read_layouts(
      *input::read_json(input::make_source("scenario.json", text)), diagnostics);
  if (diagnostics.has_errors()) return {input::render(diagnostics)};
  std::vector<std::string> lines;
  for (const auto& each : scenario::document_changes(layouts[0].document, layouts[1].document)) {
    lines.push_back(each.pointer + ": " + each.before + " -> " + each.after);
  }
  return lines;
}

constexpr const char* kHosts = R"("hosts": {"h[1-4]": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb"}})";

TEST(DocumentChanges, OfEqualLayoutsAreNone) {
  EXPECT_THAT(changes(kHosts, "{}", "{}"), ::testing::IsEmpty());
  EXPECT_THAT(changes(kHosts, "{}", R"({"job": {"network": "resnet-50"}})"), ::testing::IsEmpty());
}

TEST(DocumentChanges, AreSaidOnceOfManyHosts) {
  EXPECT_THAT(changes(kHosts, "{}", R"({"hosts": {"h[1-4]": {"gpus": "4 x a40"}}})"),
              ::testing::ElementsAre("/hosts/*/gpus: 4 x a100-pcie-80gb -> 4 x a40"));
  EXPECT_THAT(changes(kHosts, "{}", R"({"hosts": {"h[2-4]": {"gpus": "4 x a40"}}})"),
              ::testing::ElementsAre("/hosts/h2 and 2 more/gpus: 4 x a100-pcie-80gb -> 4 x a40"));
}

TEST(DocumentChanges, SayWhatIsNewAndWhatIsGone) {
  EXPECT_THAT(
      changes(kHosts, R"({"job": {"batch_per_gpu": 32}})", R"({"job": {"overlap": false}})"),
      ::testing::UnorderedElementsAre("/job/batch_per_gpu: 32 -> ", "/job/overlap:  -> false"));
}

}  // namespace document_changes_test
}  // namespace vgsim
