#include <gmock/gmock.h>

#include "models/scoring/case_kind.hpp"
#include "models/scoring/run_cases.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::scoring {
namespace memory_cases_test {

using ::testing::HasSubstr;

// BERT-Large on a V100, in 32 bits: 15.7 GB in use with four samples and 9.1 GB with one (Hugging
// Face Transformers documentation, Efficient Training on a Single GPU).
std::string bert(const std::string& peak, int batch) {
  return R"({ "name": "batch )" + std::to_string(batch) + "\"" + peak + R"(, "scenario": {
      "name": "bert", "hosts": { "n1": { "server": "generic-1gpu", "gpus": "1 x v100-sxm2-16gb" } },
      "job": { "sequence_length": 512, "precision": "fp32", "optimizer": "adam",
        "recompute": "none", "flash_attention": false, "micro_batch": )" +
         std::to_string(batch) + R"(, "samples_per_epoch": 4, "parallel": { "tensor": 1 },
        "network": { "name": "BERT-Large classifier", "sample": { "sequence_length": 512 },
          "transformer": { "layers": 24, "hidden": 1024, "heads": 16, "ffn": 4096,
            "vocabulary": 30522, "learned_positions": 512, "token_types": 2,
            "embedding_norm": true, "output": "classifier", "classes": 2, "bias": true,
            "norm": "layer", "final_norm": false, "causal": false } } } } })";
}

std::vector<Case> read(const std::string& points, input::Diagnostics& diagnostics) {
  const std::string text = R"({ "format": "vgsim.memory-case/1", "id": "bert", "title": "BERT",
      "grade": "A", "source": { "url": "https://example.org" }, "points": [)" +
                           points + "] }";
  return case_kind("memory").read({{input::make_source("case.json", text), {}}}, test::library(),
                                  diagnostics);
}

TEST(MemoryCases, PeaksAreComparedWithWhatTheFullestGpuNeeds) {
  input::Diagnostics diagnostics;
  const auto cases = read(bert(R"(, "peak": "15675162624 B")", 4) + ", " +
                              bert(R"(, "peak": "9102688256 B")", 1) + ", " + bert("", 2),
                          diagnostics);
  ASSERT_EQ(cases.size(), 1U) << input::render(diagnostics);
  const auto scored = run_case(cases[0], {test::library(), {}}).value();
  const ErrorSummary summary = summarize({&scored}, kAll, Weighting::kPoints);
  EXPECT_EQ(summary.points, 2U) << "the third was not measured";
  EXPECT_EQ(summary.not_run, 0U);
  EXPECT_LT(summary.median, 0.1);
  EXPECT_GT(*scored.prediction.series[0].points[2].predicted, 9e9);
}

TEST(MemoryCases, AreReadStrictly) {
  input::Diagnostics diagnostics;
  EXPECT_TRUE(read(bert(R"(, "peek": "15 GB")", 4), diagnostics).empty());
  EXPECT_THAT(input::render(diagnostics), HasSubstr("did you mean \"peak\"?"));
}

}  // namespace memory_cases_test
}  // namespace vgsim::scoring
