#include "models/scenario/run/used_input.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace used_input_test {

using scenario::Knowledge;

TEST(UsedInput, WhatIsFittedIsNotMeasured) {
  EXPECT_EQ(scenario::knowledge_of("measured"), Knowledge::kMeasured);
  EXPECT_EQ(scenario::knowledge_of("fitted"), Knowledge::kFitted);
  for (const char* word : {"datasheet", "documentation", "documented", "derived"}) {
    EXPECT_EQ(scenario::knowledge_of(word), Knowledge::kDocumented) << word;
  }
  for (const char* word : {"assumed", "recalled", "", "hearsay"}) {
    EXPECT_EQ(scenario::knowledge_of(word), Knowledge::kAssumed) << word;
  }
}

TEST(UsedInput, ClassesAreCountedApartAndNoneIsLost) {
  const auto layout = test::run_one(R"({"name": "inputs", "hosts": {"h[1-2]": {
    "server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
    "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
    "job": {"network": "bert-large", "samples_per_epoch": 100000, "precision": "fp16"}})");
  const auto count = scenario::count_knowledge(layout.inputs);
  EXPECT_EQ(count.measured + count.fitted + count.documented + count.assumed, layout.inputs.size());
  EXPECT_GT(count.fitted, count.measured) << "NCCL's rates and latencies are fitted";
  for (const auto& input : layout.inputs) {
    if (input.name != "ampere_simple_channel_rate") continue;
    EXPECT_EQ(input.knowledge, Knowledge::kFitted);
  }
}

}  // namespace used_input_test
}  // namespace vgsim
