#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/scenario/answer/result_json.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace shipped_scenarios_test {

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Beside scenarios there are sweeps over them, requests for advice and baselines.
std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  const std::string folder = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    if (text_of(path).find("scenario.schema.json\"") != std::string::npos) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ShippedScenario : public ::testing::TestWithParam<std::string> {};

/// The bottleneck, with loads, and every figure of a training job.
void expect_whole_answer(const scenario::LayoutResult& layout) {
  if (layout.refused || layout.ranks < 2) return;
  EXPECT_FALSE(layout.links.empty());
  if (!layout.training) return;
  ASSERT_TRUE(layout.bottleneck);
  EXPECT_FALSE(layout.bottleneck->resource.empty());
  const auto& t = *layout.training;
  EXPECT_TRUE(t.scaling_efficiency || t.compute == SimTime{0});
  EXPECT_GT(t.samples_per_s, 0);
  EXPECT_GT(t.economy.gpu_hours, 0);
  if (t.model_flops_per_gpu == 0) return;
  ASSERT_TRUE(t.model_flops_utilization);
  EXPECT_GT(*t.model_flops_utilization, 0);
  EXPECT_LE(*t.hardware_flops_utilization, 1);
  EXPECT_LE(*t.model_flops_utilization, *t.hardware_flops_utilization);
}

TEST_P(ShippedScenario, RunsWithPartsThatAddUpAndAWholeAnswer) {
  const auto result = test::run(text_of(GetParam()), GetParam());
  ASSERT_FALSE(result.layouts.empty());
  for (const auto& layout : result.layouts) {
    SCOPED_TRACE(layout.name);
    for (const auto& link : layout.links) EXPECT_LE(link.utilization, 1.0) << link.resource;
    expect_whole_answer(layout);
    if (!layout.training) continue;
    const auto& t = *layout.training;
    EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer + t.pipeline_wait,
              t.iteration);
    EXPECT_TRUE(t.settled);
  }
}

TEST_P(ShippedScenario, SaysWhatItShows) {
  EXPECT_NE(text_of(GetParam()).find("\"description\": \""), std::string::npos);
  EXPECT_NE(text_of(GetParam()).find("/schema/scenario.schema.json\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedScenario, ::testing::ValuesIn(scenario_files()),
                         [](const auto& parameter) {
                           std::string name =
                               std::filesystem::path(parameter.param).stem().string();
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

TEST(ShippedScenarios, EightH100ReduceAsFastAsMeasured) {
  // NCCL maintainers: about 480 GB/s bus bandwidth with NVLink SHARP on 8 x H100 and large sizes
  // (https://github.com/NVIDIA/nccl-tests/issues/212).
  const std::string path = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/xe9680-8xh100.json";
  const auto result = test::run(text_of(path), path);
  EXPECT_NEAR(result.layouts.at(0).collective->points.back().busbw_GBps, 480, 480 * 0.05);
}

}  // namespace shipped_scenarios_test
}  // namespace vgsim
