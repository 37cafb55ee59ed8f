#include <gmock/gmock.h>

#include <cmath>

#include "models/scoring/case_kind.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::scoring {
namespace training_cases_test {

/// Options of the prediction.
struct Scoring {
  bool calibrated = true;
  std::uint64_t draws = 0;
};

/// ResNet-50 on A40 GPUs of one kind of host, with the points of one series in that metric.
std::vector<Point> scores_of(const std::string& metric, const std::string& points,
                             const Scoring& scoring = {}) {
  const std::string text = R"({ "format": "vgsim.training-case/1", "id": "x", "title": "x",
      "grade": "A", "source": { "url": "https://example.org" },
      "machines": { "box": { "server": "generic-rome-4+4", "gpus": "8 x a40" } },
      "scenario": { "name": "n", "job": { "network": "resnet-50", "precision": "fp16",
                    "software": "tuned", "input": { "decode": "none" } } },
      "series": [{ "id": "s", "metric": ")" +
                           metric + R"(", "points": [)" + points + "] }] }";
  const scenario::Library& library = test::library();
  input::Diagnostics diagnostics;
  const auto cases = case_kind("training")
                         .read({{input::make_source("case.json", text), {}}}, library, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
  if (cases.empty()) return {};
  return cases[0].predict({library, {}, scoring.calibrated, scoring.draws})->series[0].points;
}

double number_of(const Point& point, const std::string& fact) {
  for (const Fact& each : point.facts) {
    if (each.name == fact) return std::get<double>(each.value);
  }
  throw std::out_of_range(fact);
}

bool has_tag(const Point& point, const std::string& tag) {
  return std::find(point.tags.begin(), point.tags.end(), tag) != point.tags.end();
}

std::string point(int gpus, int batch, const std::string& more, const std::string& job = "") {
  return R"({"patch": {"use": {"machine": "box", "hosts": 1, "gpus": )" + std::to_string(gpus) +
         R"(}, "job": {"batch_per_gpu": )" + std::to_string(batch) + job + "}}" + more + "}";
}

// Half the predicted rate: the GPU then takes twice as long for its layers, also in other jobs.
TEST(TrainingCases, AnAnchorSetsThePaceOfItsGpus) {
  const auto plain = scores_of("samples_per_s", point(1, 128, "") + "," + point(8, 128, ""),
                               {.calibrated = false});
  const double one = *plain[0].predicted;
  const auto scores = scores_of(
      "samples_per_s", point(1, 128, R"(, "anchor": true, "value": )" + std::to_string(one / 2)) +
                           "," + point(8, 128, R"(, "value": )" + std::to_string(one)));
  EXPECT_NEAR(*scores[0].predicted / (one / 2), 1.0, 2e-3);
  EXPECT_NEAR(*scores[1].predicted / (*plain[1].predicted / 2), 1.0, 0.03);
}

// With one image the GPU waits for its host. Twice the time then measures the host, and does not
// affect 256 images, which keep the GPU busy.
TEST(TrainingCases, AnAnchorThatWaitsForItsHostSetsThePaceOfLaunches) {
  const std::string images = point(1, 256, "");
  const auto plain =
      scores_of("samples_per_s", point(1, 1, "") + "," + images, {.calibrated = false});
  const double one = *plain[0].predicted;
  const auto scores = scores_of(
      "samples_per_s",
      point(1, 1, R"(, "anchor": true, "value": )" + std::to_string(one / 2)) + "," + images);
  EXPECT_NEAR(*scores[0].predicted / (one / 2), 1.0, 2e-3);
  EXPECT_NEAR(*scores[1].predicted / *plain[1].predicted, 1.0, 0.05);
}

// 100 samples/s on one GPU are 800 on eight. A step of 1 s with 64 samples takes 2 s with 128, on
// any number of GPUs. The anchor is the one with the nearest batch.
TEST(TrainingCases, TheNullModelScalesTheNearestAnchor) {
  const auto rates =
      scores_of("samples_per_s", point(1, 64, R"(, "anchor": true, "value": 100)") + "," +
                                     point(1, 256, R"(, "anchor": true, "value": 150)") + "," +
                                     point(8, 64, R"(, "value": 640)") + "," +
                                     point(8, 200, R"(, "value": 1200)"));
  EXPECT_DOUBLE_EQ(*rates[2].null_model, 800);
  EXPECT_DOUBLE_EQ(number_of(rates[2], "efficiency"), 0.8);
  EXPECT_TRUE(has_tag(rates[2], "hard")) << "at the batch of the anchor";
  EXPECT_DOUBLE_EQ(*rates[3].null_model, 1200);
  EXPECT_FALSE(has_tag(rates[3], "hard")) << "with another batch";
  EXPECT_TRUE(has_tag(rates[3], "data_parallel"));
  const auto times = scores_of("step_time_s", point(1, 64, R"(, "anchor": true, "value": 1)") +
                                                  "," + point(8, 128, R"(, "value": 2.5)"));
  EXPECT_DOUBLE_EQ(*times[1].null_model, 2);
  EXPECT_DOUBLE_EQ(number_of(times[1], "efficiency"), 0.8);
}

// Points with other networks, precisions or GPUs are not compared.
TEST(TrainingCases, TheNullModelSaysNothingOfAnotherNetworkOrPrecision) {
  const auto scores = scores_of(
      "samples_per_s", point(1, 64, R"(, "anchor": true, "value": 100)") + "," +
                           point(8, 64, R"(, "value": 1)", R"(, "precision": "fp32")") + "," +
                           point(8, 64, R"(, "value": 1)", R"(, "network": "vgg-16")"));
  EXPECT_FALSE(scores[1].null_model);
  EXPECT_FALSE(scores[2].null_model);
}

// Draws change eight GPUs like the one of the anchor, so the anchor cancels them.
TEST(TrainingCases, AnAnchorNarrowsTheRangeOfDraws) {
  const std::string points = point(1, 128, R"(, "anchor": true, "value": 800)") + "," +
                             point(8, 128, R"(, "value": 6300)");
  const auto width = [&](bool calibrated) {
    const auto scores = scores_of("samples_per_s", points, {calibrated, 100});
    EXPECT_FALSE(scores[0].interval) << "only scored points have one";
    EXPECT_LT(scores[1].interval->low, *scores[1].predicted);
    EXPECT_GT(scores[1].interval->high, *scores[1].predicted);
    return scores[1].interval->high / scores[1].interval->low;
  };
  EXPECT_LT(std::log(width(true)), std::log(width(false)) / 2);
}

}  // namespace training_cases_test
}  // namespace vgsim::scoring
