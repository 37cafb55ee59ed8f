#include "models/questions/read/virtual_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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

// A value is a rate, or a time in seconds.
constexpr double kLeastMeasured = 1e-9;
constexpr double kMostMeasured = 1e12;
constexpr std::int64_t kMostMeasuredPoints = 100'000;

struct VirtualPlace {
  std::optional<std::string> series;
  std::int64_t point = 0;
};

struct VirtualPointKeys {
  std::optional<Value> patch;
  std::optional<double> value;
  bool given = false;
  bool at_least = false;
  std::optional<double> null_model;
  std::optional<std::string> left_out;
  VirtualPlace at;
  std::optional<Value> hints;
};

struct VirtualSeriesKeys {
  At<std::string> id;
  std::string metric;
  double source_factor = 1.0;
  std::optional<Value> patch;
  std::vector<At<VirtualPointKeys>> points;
};

struct VirtualCaseKeys {
  Value format;
  std::string id;
  std::string title;
  std::string kind;
  std::optional<std::string> group;
  std::string grade;
  Value source;
  std::optional<Value> not_stated;
  std::optional<Value> left_out;
  double noise = 0;
  bool is_ratio = false;
  CaseMachines machines;
  Value scenario;
  std::vector<VirtualSeriesKeys> series;
};

Decoder<VirtualPlace> place() {
  return record<VirtualPlace>({
      key("series", &VirtualPlace::series, name()).default_text("the id of the series here"),
      key("point", &VirtualPlace::point, count(0, kMostMeasuredPoints))
          .required()
          .describe("from 0"),
  });
}

Decoder<VirtualPointKeys> virtual_point() {
  using Keys = VirtualPointKeys;
  return record<Keys>({
      key("patch", &Keys::patch, as_written(case_patch()))
          .describe("merge patch over the scenario of the series"),
      key("value", &Keys::value, number(kLeastMeasured, kMostMeasured))
          .describe("measured, in the metric of the series; without one the point is predicted "
                    "and not scored"),
      key("given", &Keys::given, boolean())
          .describe("whether the others of the series are predicted in proportion to it")
          .default_value("false"),
      key("bound", &Keys::at_least, words<bool>({{"none", false}, {"lower", true}}))
          .describe("lower: the source says that it was more")
          .default_value("none"),
      key("null", &Keys::null_model, number(0, kMostMeasured))
          .describe("what somebody would say who knows nothing of virtualization: over the given "
                    "point, or as the value is"),
      key("skip", &Keys::left_out, name())
          .describe("why the point is not run")
          .default_text("it is"),
      key("at", &Keys::at, place()).required().describe("where it stands in the source"),
      key("hints", &Keys::hints,
          as_written(map_shape("a condition, as the source has it", any_shape()))),
  });
}

Decoder<VirtualSeriesKeys> virtual_series() {
  using Keys = VirtualSeriesKeys;
  return record<Keys>({
      key("id", &Keys::id, name()).required().describe("unique in the case"),
      key("metric", &Keys::metric,
          case_word({"samples_per_s", "step_time_s", "training_s", "busbw_GBps", "stun_s"}))
          .required()
          .describe("what the values are; rates are of all machines of the job"),
      key("source_factor", &Keys::source_factor, number(kLeastMeasured, kMostMeasured))
          .describe("a value in the source's unit over the same in this one's")
          .default_value("1.0"),
      key("patch", &Keys::patch, as_written(case_patch()))
          .describe("merge patch over the scenario of the case"),
      key("points", &Keys::points, list(placed(virtual_point()), 1)).required(),
  });
}

/// Of a ratio, each series has one point that the others are in proportion to.
void verify_virtual(const VirtualCaseKeys& read, const Value& at, Diagnostics& diagnostics) {
  std::set<std::string> ids;
  for (const VirtualSeriesKeys& series : read.series) {
    if (!ids.insert(*series.id).second) {
      topology::report(diagnostics, series.id,
                       fmt::format("a second series is called \"{}\"", *series.id));
    }
    const auto given = std::count_if(series.points.begin(), series.points.end(),
                                     [](const auto& p) { return p->given && p->value; });
    if (read.is_ratio && given != 1) {
      topology::report(diagnostics, series.id,
                       fmt::format("{} given points with a value, for ratios to one", given),
                       "one point with \"given\": true and a value");
    }
  }
  check_machines(read.machines, at.origin(), diagnostics);
}

const Decoder<VirtualCaseKeys>& virtual_case() {
  using Keys = VirtualCaseKeys;
  static const Decoder<Keys> decoder = record<Keys>(
      {
          key("format", &Keys::format, as_written(enum_shape({kVirtualCaseFormat}))).required(),
          key("id", &Keys::id, name()).required().describe("what it is called; unique"),
          key("title", &Keys::title, name()).required().describe("one line about it"),
          key("kind", &Keys::kind, case_word({"pair", "share", "mig", "stun", "nic", "p2p"}))
              .required()
              .describe("what it tells of: a VM beside bare metal, turns on a GPU, slices of one, "
                        "vMotion, kinds of NICs, traffic between GPUs"),
          key("group", &Keys::group, name())
              .describe("one machine or document")
              .default_text("the id"),
          key("grade", &Keys::grade, case_word({"A", "B", "C"}))
              .required()
              .describe("A: raw logs or the vendor's table; B: a report; C: an excerpt"),
          key("source", &Keys::source, case_source()).required(),
          key("not_stated", &Keys::not_stated, as_written(array_shape(string_shape())))
              .describe("what the source leaves open and the scenario had to assume"),
          key("left_out", &Keys::left_out, case_left_out())
              .describe("series of the source, or points of them, that are not here"),
          key("noise", &Keys::noise, number(0, 10))
              .required()
              .describe("relative spread of the measurements"),
          key("score", &Keys::is_ratio, words<bool>({{"ratio", true}, {"absolute", false}}))
              .required()
              .describe("ratio: points are predicted in proportion to the given one"),
          key("machines", &Keys::machines, named("name of a machine", as_written(any_shape())))
              .describe("hosts that \"use\" names, each as in \"hosts\" of a scenario"),
          key("scenario", &Keys::scenario, as_written(case_patch()))
              .required()
              .describe("what all points have in common"),
          key("series", &Keys::series, list(virtual_series())).required(),
      },
      verify_virtual);
  return decoder;
}

VirtualPoint read_virtual_point(const At<VirtualPointKeys>& from, const std::string& series,
                                const Value& scenario, const CaseMachines& machines,
                                Diagnostics& diagnostics) {
  VirtualPoint point;
  point.scenario = case_scenario(from->patch ? merge_patch(scenario, *from->patch) : scenario,
                                 machines, diagnostics);
  point.value = from->value;
  point.given = from->given;
  point.at_least = from->at_least;
  point.null_model = from->null_model;
  point.left_out = from->left_out.value_or("");
  point.source_series = from->at.series.value_or(series);
  point.source_point = static_cast<std::size_t>(from->at.point);
  if (point.left_out.empty()) {
    static_cast<void>(check_case_scenario(point.scenario.value(), from.origin, diagnostics));
  }
  return point;
}

}  // namespace

bool VirtualSeries::is_time() const { return metric != "samples_per_s" && metric != "busbw_GBps"; }

Shape virtual_case_shape() { return virtual_case().shape; }

tl::expected<VirtualCase, Diagnostics> read_virtual_case(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, virtual_case().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const VirtualCaseKeys read = virtual_case().read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  VirtualCase result{read.id, read.kind, read.grade, read.noise, read.is_ratio, {}};
  for (const VirtualSeriesKeys& from : read.series) {
    VirtualSeries& series = result.series.emplace_back();
    series.id = *from.id;
    series.metric = from.metric;
    series.source_factor = from.source_factor;
    const Value scenario = from.patch ? merge_patch(read.scenario, *from.patch) : read.scenario;
    for (const At<VirtualPointKeys>& point : from.points) {
      series.points.push_back(
          read_virtual_point(point, series.id, scenario, read.machines, diagnostics));
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return result;
}

}  // namespace vgsim::scenario
