#include "models/questions/read/baseline.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/questions/check/drift.hpp"
#include "models/questions/check/result_fingerprint.hpp"
#include "tests/models/questions/check/figures.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace baseline_test {

const std::string kScenario = R"({
  "name": "two hosts",
  "hosts": { "esx[01-02]": { "server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
                             "nics": { "vmnic4": { "nic": "connectx-6-dx-100g" } } } },
  "job": { "network": "bert-large", "batch_per_gpu": 32 } })";

scenario::Baseline baseline_of(const std::string& json) {
  const auto document = test::parsed(json);
  const auto result = test::run(json);
  return scenario::baseline_of(result, scenario::figures_of(result), document);
}

TEST(Baseline, IsReadAsItWasWritten) {
  const scenario::Baseline written = baseline_of(kScenario);
  ASSERT_FALSE(written.layouts.at("two hosts").figures.empty());
  ASSERT_FALSE(written.inputs.empty());
  const std::string text = to_json(written);
  const auto read = scenario::read_baseline(input::make_source("b.json", text));
  ASSERT_TRUE(read) << input::render(read.error());
  EXPECT_EQ(to_json(*read), text);
  EXPECT_TRUE(
      drift_of(*read, written, scenario::figures_of(test::run(kScenario)), {}).findings.empty());
}

TEST(Baseline, IsTheSameTextForTheSameScenario) {
  EXPECT_EQ(to_json(baseline_of(kScenario)), to_json(baseline_of(kScenario)));
}

TEST(Baseline, OfARefusedLayoutIsItsRules) {
  scenario::Baseline baseline = scenario::baseline_of(
      {"a", {}, {}}, {test::refused("vgpu", "mmio-too-small")}, test::parsed("{}"));
  const auto read = scenario::read_baseline(input::make_source("b.json", to_json(baseline)));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->layouts.at("vgpu").refused);
  EXPECT_EQ(read->layouts.at("vgpu").rules, std::vector<std::string>{"mmio-too-small"});
}

TEST(Baseline, AnythingElseIsRefused) {
  for (const char* text : {"", "{}", "[]", R"({"schema": "vgsim.result/1"})",
                           R"({"schema": "vgsim.baseline/1", "scenario": "a", "document": "",
                               "inputs": {}, "layouts": {"a": {"refused": 1, "rules": []}}})"}) {
    EXPECT_FALSE(scenario::read_baseline(input::make_source("b.json", text))) << text;
  }
}

TEST(ResultFingerprint, SeesNumbersAndNeitherOrderNorWords) {
  using nlohmann::ordered_json;
  const auto of = [](const char* text) {
    return scenario::result_fingerprint(ordered_json::parse(text));
  };
  const std::string first = of(R"({"time_s": 0.5, "links": [{"bytes": 7, "kind": "nic"}]})");
  EXPECT_EQ(of(R"({"links": [{"kind": "pcie", "bytes": 7}], "time_s": 0.5, "events": 9})"), first);
  EXPECT_NE(of(R"({"time_s": 0.5, "links": [{"bytes": 8, "kind": "nic"}]})"), first);
  EXPECT_NE(of(R"({"time_s": 0.50000001, "links": [{"bytes": 7, "kind": "nic"}]})"), first);
}

}  // namespace baseline_test
}  // namespace vgsim
