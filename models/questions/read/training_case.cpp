#include "models/questions/read/training_case.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <utility>

#include "models/questions/read/case_scenarios.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/record.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

// A value is a rate, or seconds of a step: from a nanosecond to a thousand times the fastest.
constexpr double kLeastValue = 1e-9;
constexpr double kMostValue = 1e12;
constexpr double kMostFlop = 1e24;  ///< of one step

struct PointKeys {
  std::optional<Value> patch;
  std::optional<double> value;
  bool anchor = false;
  std::optional<double> flop_per_step;
  std::optional<std::string> left_out;
  std::optional<Value> hints;
};

struct SeriesKeys {
  At<std::string> id;
  std::string metric;
  bool of_one_gpu = false;
  double source_factor = 1.0;
  std::optional<Value> patch;
  std::vector<At<PointKeys>> points;
  std::optional<Value> hints;
};

struct CaseKeys {
  std::string format;
  std::string id;
  std::string title;
  std::optional<std::string> group;
  std::string grade;
  Value source;
  std::optional<Value> not_stated;
  std::optional<Value> left_out;
  CaseMachines machines;
  Value scenario;
  std::vector<SeriesKeys> series;
};

Decoder<Value> hints() {
  return as_written(map_shape("what the source says of the job and no key can", any_shape()));
}

Decoder<PointKeys> point_decoder() {
  return record<PointKeys>({
      key("patch", &PointKeys::patch, as_written(case_patch()))
          .describe("merge patch over the scenario of the series"),
      key("value", &PointKeys::value, number(kLeastValue, kMostValue))
          .describe("measured, in the metric of the series; without one the point is predicted "
                    "and not scored"),
      key("anchor", &PointKeys::anchor, boolean())
          .describe("whether it may be used to fit what its GPUs reach; it is not scored then")
          .default_value("false"),
      key("flop_per_step", &PointKeys::flop_per_step, number(1, kMostFlop))
          .describe("operations of a step as the source counts them, for tflops_per_gpu"),
      key("skip", &PointKeys::left_out, name())
          .describe("why the point is not run")
          .default_text("it is"),
      key("hints", &PointKeys::hints, hints()),
  });
}

Decoder<SeriesKeys> series_decoder() {
  return record<SeriesKeys>({
      key("id", &SeriesKeys::id, name()).required().describe("unique in the case"),
      key("metric", &SeriesKeys::metric,
          case_word({"samples_per_s", "tokens_per_s", "step_time_s", "tflops_per_gpu"}))
          .required()
          .describe("what the values are"),
      key("of", &SeriesKeys::of_one_gpu, words<bool>({{"all GPUs", false}, {"one GPU", true}}))
          .describe("whose rate the values are")
          .default_value("all GPUs"),
      key("source_factor", &SeriesKeys::source_factor, number(kLeastValue, kMostValue))
          .describe("a value in the source's unit over the same in this one's")
          .default_value("1.0"),
      key("patch", &SeriesKeys::patch, as_written(case_patch()))
          .describe("merge patch over the scenario of the case"),
      key("points", &SeriesKeys::points, list(placed(point_decoder()), 1)).required(),
      key("hints", &SeriesKeys::hints, hints()),
  });
}

void verify_series(const CaseKeys& read, const Value& at, Diagnostics& diagnostics) {
  std::set<std::string> ids;
  for (const SeriesKeys& series : read.series) {
    if (!ids.insert(*series.id).second) {
      topology::report(diagnostics, series.id,
                       fmt::format("a second series is called \"{}\"", *series.id));
    }
    for (const At<PointKeys>& point : series.points) {
      if (point->anchor && !point->value) {
        topology::report(diagnostics, point, "an anchor without a value", "\"value\": ...");
      }
    }
  }
  check_machines(read.machines, at.origin(), diagnostics);
}

const Decoder<CaseKeys>& case_decoder() {
  static const Decoder<CaseKeys> decoder = record<CaseKeys>(
      {
          key("format", &CaseKeys::format, case_word({kTrainingCaseFormat})).required(),
          key("id", &CaseKeys::id, name()).required().describe("what it is called; unique"),
          key("title", &CaseKeys::title, name()).required().describe("one line about it"),
          key("group", &CaseKeys::group, name())
              .describe("one machine or document")
              .default_text("the id"),
          key("grade", &CaseKeys::grade, case_word({"A", "B", "C"}))
              .required()
              .describe("A: set-up fully stated; B: some of it inferred; C: not counted"),
          key("source", &CaseKeys::source, case_source()).required(),
          key("not_stated", &CaseKeys::not_stated, as_written(array_shape(string_shape())))
              .describe("what the source leaves open and the scenario had to assume"),
          key("left_out", &CaseKeys::left_out, case_left_out())
              .describe("series of the source that are not here"),
          key("machines", &CaseKeys::machines, named("name of a machine", as_written(any_shape())))
              .describe("hosts that \"use\" names, each as in \"hosts\" of a scenario"),
          key("scenario", &CaseKeys::scenario, as_written(case_patch()))
              .required()
              .describe("what all points have in common"),
          key("series", &CaseKeys::series, list(series_decoder(), 1)).required(),
      },
      verify_series);
  return decoder;
}

TrainingPoint read_point(const At<PointKeys>& from, const Value& series,
                         const CaseMachines& machines, Diagnostics& diagnostics) {
  TrainingPoint point;
  point.scenario = case_scenario(from->patch ? merge_patch(series, *from->patch) : series, machines,
                                 diagnostics);
  point.value = from->value;
  point.anchor = from->anchor;
  point.flop_per_step = from->flop_per_step;
  point.left_out = from->left_out.value_or("");
  if (!point.left_out.empty()) return point;
  const Value& scenario = point.scenario.value();
  if (!check_case_scenario(scenario, from.origin, diagnostics) || !find(scenario, "hosts")) {
    return point;
  }
  if (!find(*find(scenario, "job"), "network")) {
    topology::report(diagnostics, *find(scenario, "job"), "the job trains no network",
                     "\"network\": \"...\"");
  }
  return point;
}

}  // namespace

Shape training_case_shape() { return case_decoder().shape; }

tl::expected<TrainingCase, Diagnostics> read_training_case(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, case_decoder().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const CaseKeys read = case_decoder().read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  TrainingCase result{read.id, read.group.value_or(read.id), read.grade, {}};
  for (const SeriesKeys& from : read.series) {
    TrainingSeries& series = result.series.emplace_back();
    series.id = *from.id;
    series.metric = from.metric;
    series.of_one_gpu = from.of_one_gpu;
    series.source_factor = from.source_factor;
    const Value scenario = from.patch ? merge_patch(read.scenario, *from.patch) : read.scenario;
    for (const At<PointKeys>& point : from.points) {
      series.points.push_back(read_point(point, scenario, read.machines, diagnostics));
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return result;
}

}  // namespace vgsim::scenario
