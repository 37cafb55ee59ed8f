#include "models/scoring/kinds/job_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/scoring/kinds/case_scenarios.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/record.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

// A value is a rate or a time in seconds: from a nanosecond to a thousand times the fastest rate.
constexpr double kLeastValue = 1e-9;
constexpr double kMostValue = 1e12;
constexpr double kMostFlop = 1e24;  ///< of one step
constexpr std::int64_t kMostMeasuredPoints = 100'000;

/// The location of a point in the source.
struct PlaceKeys {
  std::optional<std::string> series;
  std::int64_t point = 0;
};

// Each of these has the keys of both formats.

struct PointKeys {
  std::optional<Value> patch;
  std::optional<double> value;
  bool given = false;
  std::optional<double> flop_per_step;
  bool at_least = false;
  std::optional<double> null_model;
  std::optional<std::string> left_out;
  std::optional<PlaceKeys> at;
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
  At<std::string> id;
  std::string title;
  std::string kind;
  std::optional<std::string> group;
  std::string grade;
  Value source;
  std::optional<Value> not_stated;
  std::optional<Value> left_out;
  std::optional<double> noise;
  bool is_ratio = false;
  CaseMachines machines;
  Value scenario;
  std::vector<SeriesKeys> series;
};

Decoder<Value> hints() {
  return as_written(map_shape("statements of the source without a separate key", any_shape()));
}

/// The keys of both formats, and those of one.
Decoder<PointKeys> point_decoder(const Keys<PointKeys>& own) {
  Keys<PointKeys> keys = {
      key("patch", &PointKeys::patch, as_written(case_patch()))
          .describe("merge patch on the scenario of the series"),
      key("value", &PointKeys::value, number(kLeastValue, kMostValue))
          .describe("measured, in the metric of the series; without one the point is predicted "
                    "and not scored"),
      key("skip", &PointKeys::left_out, name())
          .describe("reason why the point is not run")
          .default_text("it is"),
      key("hints", &PointKeys::hints, hints()),
  };
  add_keys(keys, own);
  return record<PointKeys>(std::move(keys));
}

Decoder<SeriesKeys> series_decoder(std::vector<std::string> metrics, const Keys<PointKeys>& points,
                                   const Keys<SeriesKeys>& own) {
  Keys<SeriesKeys> keys = {
      key("id", &SeriesKeys::id, name()).required().describe("unique in the case"),
      key("metric", &SeriesKeys::metric, case_word(std::move(metrics)))
          .required()
          .describe("metric of the values; rates are sums over all machines of the job"),
      key("source_factor", &SeriesKeys::source_factor, number(kLeastValue, kMostValue))
          .describe("value in the source's unit divided by the value in the unit used here")
          .default_value("1.0"),
      key("patch", &SeriesKeys::patch, as_written(case_patch()))
          .describe("merge patch on the scenario of the case"),
      key("points", &SeriesKeys::points, list(placed(point_decoder(points)), 1)).required(),
  };
  add_keys(keys, own);
  return record<SeriesKeys>(std::move(keys));
}

/// In a ratio, one point of each series is the reference of the others.
void verify_given(const CaseKeys& read, const SeriesKeys& series, Diagnostics& diagnostics) {
  std::size_t given = 0;
  for (const At<PointKeys>& point : series.points) {
    if (point->given && !point->value) {
      topology::report(diagnostics, point, "an anchor without a value", "\"value\": ...");
    }
    given += point->given ? 1U : 0U;
  }
  if (read.is_ratio && given != 1) {
    topology::report(diagnostics, series.id,
                     fmt::format("{} given points with a value, for ratios to one", given),
                     "one point with \"given\": true and a value");
  }
}

void verify_case(const CaseKeys& read, const Value& at, Diagnostics& diagnostics) {
  std::set<std::string> ids;
  for (const SeriesKeys& series : read.series) {
    if (!ids.insert(*series.id).second) {
      topology::report(diagnostics, series.id,
                       fmt::format("two series have the id \"{}\"", *series.id));
    }
    verify_given(read, series, diagnostics);
  }
  check_machines(read.machines, at.origin(), diagnostics);
}

Decoder<CaseKeys> case_decoder(const char* format, const char* grades,
                               Decoder<std::vector<SeriesKeys>> series, const Keys<CaseKeys>& own) {
  Keys<CaseKeys> keys = {
      key("format", &CaseKeys::format, case_word({format})).required(),
      key("id", &CaseKeys::id, name()).required().describe("name of the case; unique"),
      key("title", &CaseKeys::title, name()).required().describe("description in one line"),
      key("group", &CaseKeys::group, name())
          .describe("one machine or document")
          .default_text("the id"),
      key("grade", &CaseKeys::grade, case_word({"A", "B", "C"})).required().describe(grades),
      key("source", &CaseKeys::source, case_source()).required(),
      key("not_stated", &CaseKeys::not_stated, as_written(array_shape(string_shape())))
          .describe("assumptions of the scenario that the source does not state"),
      key("left_out", &CaseKeys::left_out, case_left_out())
          .describe("series or points of the source that are omitted"),
      key("machines", &CaseKeys::machines, named("name of a machine", as_written(any_shape())))
          .describe("hosts that \"use\" names, each as in \"hosts\" of a scenario"),
      key("scenario", &CaseKeys::scenario, as_written(case_patch()))
          .required()
          .describe("common properties of all points"),
      key("series", &CaseKeys::series, std::move(series)).required(),
  };
  add_keys(keys, own);
  return record<CaseKeys>(std::move(keys), verify_case);
}

const Decoder<CaseKeys>& training_decoder() {
  static const Decoder<CaseKeys> decoder = case_decoder(
      kTrainingCaseFormat, "A: set-up fully stated; B: some of it inferred; C: not counted",
      list(series_decoder(
               {"samples_per_s", "tokens_per_s", "step_time_s", "tflops_per_gpu"},
               {
                   key("anchor", &PointKeys::given, boolean())
                       .describe(
                           "whether the achieved rates of its GPUs are fitted to it; it is not "
                           "scored then")
                       .default_value("false"),
                   key("flop_per_step", &PointKeys::flop_per_step, number(1, kMostFlop))
                       .describe("operations of a step as the source counts them, for "
                                 "tflops_per_gpu"),
               },
               {
                   key("of", &SeriesKeys::of_one_gpu,
                       words<bool>({{"all GPUs", false}, {"one GPU", true}}))
                       .describe("machines whose total rate the values are")
                       .default_value("all GPUs"),
                   key("hints", &SeriesKeys::hints, hints()),
               }),
           1),
      {});
  return decoder;
}

Decoder<PlaceKeys> place() {
  return record<PlaceKeys>({
      key("series", &PlaceKeys::series, name()).default_text("the id of the series here"),
      key("point", &PlaceKeys::point, count(0, kMostMeasuredPoints)).required().describe("from 0"),
  });
}

const Decoder<CaseKeys>& virtual_decoder() {
  static const Decoder<CaseKeys> decoder = case_decoder(
      kVirtualCaseFormat, "A: raw logs or the vendor's table; B: a report; C: an excerpt",
      list(series_decoder(
          {"samples_per_s", "step_time_s", "training_s", "busbw_GBps", "stun_s"},
          {
              key("given", &PointKeys::given, boolean())
                  .describe("whether the others of the series are predicted in proportion to it")
                  .default_value("false"),
              key("bound", &PointKeys::at_least, words<bool>({{"none", false}, {"lower", true}}))
                  .describe("lower: the true value is higher")
                  .default_value("none"),
              key("null", &PointKeys::null_model, number(0, kMostValue))
                  .describe("estimate without a model of virtualization: relative to the "
                            "given point, or an absolute value"),
              key("at", &PointKeys::at, place()).required().describe("its location in the source"),
          },
          {})),
      {
          key("kind", &CaseKeys::kind, case_word({"pair", "share", "mig", "stun", "nic", "p2p"}))
              .required()
              .describe("subject: VM against bare metal, time slices of a GPU, MIG slices, "
                        "vMotion, kinds of NICs, traffic between GPUs"),
          key("noise", &CaseKeys::noise, number(0, 10))
              .required()
              .describe("relative spread of the measurements"),
          key("score", &CaseKeys::is_ratio, words<bool>({{"ratio", true}, {"absolute", false}}))
              .required()
              .describe("ratio: points are predicted in proportion to the given one"),
      });
  return decoder;
}

/// The scenario is complete when the point is run. `trains`: its job must have a network.
void check_point(const JobPoint& point, bool trains, const Origin& origin,
                 Diagnostics& diagnostics) {
  const Value& scenario = point.scenario.value();
  const bool is_whole = check_case_scenario(scenario, origin, diagnostics);
  if (!trains || !is_whole || !find(scenario, "hosts")) return;
  const Value job = *find(scenario, "job");
  if (find(job, "network")) return;
  topology::report(diagnostics, job, "the job does not train a network", "\"network\": \"...\"");
}

JobPoint read_point(const PointKeys& from, const Value& series, const CaseMachines& machines,
                    Diagnostics& diagnostics) {
  JobPoint point;
  point.scenario =
      case_scenario(from.patch ? merge_patch(series, *from.patch) : series, machines, diagnostics);
  point.value = from.value;
  point.given = from.given;
  point.flop_per_step = from.flop_per_step;
  point.at_least = from.at_least;
  point.null_model = from.null_model;
  point.left_out = from.left_out.value_or("");
  return point;
}

JobSeries read_series(const CaseKeys& read, const SeriesKeys& from, bool trains,
                      Diagnostics& diagnostics) {
  JobSeries series{*from.id, from.metric, from.of_one_gpu, {}};
  const Value scenario = from.patch ? merge_patch(read.scenario, *from.patch) : read.scenario;
  for (const At<PointKeys>& each : from.points) {
    JobPoint point = read_point(*each, scenario, read.machines, diagnostics);
    if (point.left_out.empty()) check_point(point, trains, each.origin, diagnostics);
    point.source = {series.id, series.points.size(), from.source_factor};
    if (each->at) {
      point.source.series = each->at->series.value_or(series.id);
      point.source.point = static_cast<std::size_t>(each->at->point);
    }
    series.points.push_back(std::move(point));
  }
  return series;
}

tl::expected<JobCase, Diagnostics> read_job_case(const SourcePtr& file,
                                                 const Decoder<CaseKeys>& decoder, bool trains) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, decoder.shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const CaseKeys read = decoder.read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  JobCase result;
  result.head = {*read.id,   read.title,    read.group.value_or(*read.id),
                 read.kind,  read.grade,    true,
                 read.noise, read.id.origin};
  result.is_ratio = read.is_ratio;
  for (const SeriesKeys& from : read.series) {
    result.series.push_back(read_series(read, from, trains, diagnostics));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return result;
}

}  // namespace

Role JobPoint::role() const {
  if (!left_out.empty()) return Role::kLeftOut;
  if (!value) return Role::kBlind;
  return given ? Role::kGiven : Role::kScored;
}

Shape training_case_shape() { return training_decoder().shape; }
Shape virtual_case_shape() { return virtual_decoder().shape; }

/// Cases of grade C do not count.
tl::expected<JobCase, Diagnostics> read_training_case(const SourcePtr& file) {
  auto read = read_job_case(file, training_decoder(), true);
  if (read) read->head.counts = read->head.grade != "C";
  return read;
}

tl::expected<JobCase, Diagnostics> read_virtual_case(const SourcePtr& file) {
  return read_job_case(file, virtual_decoder(), false);
}

}  // namespace vgsim::scoring
