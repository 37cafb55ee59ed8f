#include "models/questions/read/training_case.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/record.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

// Beyond the largest clusters and servers that exist; a slip of the pen is more.
constexpr std::int64_t kMostHosts = 100'000;
constexpr std::int64_t kMostGpusOfAHost = 1024;
// A value is a rate, or seconds of a step: from a nanosecond to a thousand times the fastest.
constexpr double kLeastValue = 1e-9;
constexpr double kMostValue = 1e12;
constexpr double kMostFlop = 1e24;  ///< of one step

/// So many hosts of a machine, with so many GPUs each that take part.
struct Use {
  At<std::string> machine;
  std::int64_t hosts = 1;
  std::optional<std::int64_t> gpus;
};

const Decoder<Use>& use_decoder() {
  static const Decoder<Use> decoder = record<Use>({
      key("machine", &Use::machine, name()).required().describe("one of \"machines\""),
      key("hosts", &Use::hosts, count(1, kMostHosts)).required().describe("how many of it"),
      key("gpus", &Use::gpus, count(1, kMostGpusOfAHost))
          .describe("GPUs of each that take part")
          .default_text("all"),
  });
  return decoder;
}

/// A whole scenario, made once: it is large.
const Shape& whole_scenario() {
  static const Shape shape = scenario_shape();
  return shape;
}

/// A patch over a scenario, or over one without anything.
const Shape& scenario_patch() {
  static const Shape shape = [] {
    ShapeNode node = whole_scenario().node();
    node.fields.push_back(field("use", use_decoder().shape)
                              .describe("the hosts: so many of a machine, with so many GPUs each"));
    return patch_of(Shape(std::move(node)));
  }();
  return shape;
}

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
  std::vector<Named<Value>> machines;
  Value scenario;
  std::vector<SeriesKeys> series;
};

Decoder<std::string> case_word(std::vector<std::string> words) {
  return changed(as_written(enum_shape(std::move(words))),
                 [](const Value& word) { return word.string(); });
}

Decoder<Value> hints() {
  return as_written(map_shape("what the source says of the job and no key can", any_shape()));
}

Decoder<Value> source() {
  return as_written(object_shape({
      field("url", string_shape()).required().describe("address of the measurements"),
      field("date", name_shape()).describe("of the measurements").examples({"2021-04"}),
      field("also", array_shape(string_shape())).describe("what else was read"),
  }));
}

Decoder<Value> series_left_out() {
  return as_written(array_shape(object_shape({
      field("id", name_shape()).required().describe("of the series in the source"),
      field("points", count_shape(0)).describe("how many it has"),
      field("reason", string_shape()).required().describe("why it is not here"),
  })));
}

Decoder<PointKeys> point_decoder() {
  return record<PointKeys>({
      key("patch", &PointKeys::patch, as_written(scenario_patch()))
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
      key("patch", &SeriesKeys::patch, as_written(scenario_patch()))
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
  // The parts of a host are told where it is used; what no key is called is told at once.
  for (const Named<Value>& machine : read.machines) {
    const Value hosts = Value::make_object(
        {Member{"hosts", {}, Value::make_object({Member{"host", {}, *machine}})}}, at.origin());
    check(hosts, scenario_patch(), diagnostics);
  }
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
          key("source", &CaseKeys::source, source()).required(),
          key("not_stated", &CaseKeys::not_stated, as_written(array_shape(string_shape())))
              .describe("what the source leaves open and the scenario had to assume"),
          key("left_out", &CaseKeys::left_out, series_left_out())
              .describe("series of the source that are not here"),
          key("machines", &CaseKeys::machines, named("name of a machine", as_written(any_shape())))
              .describe("hosts that \"use\" names, each as in \"hosts\" of a scenario"),
          key("scenario", &CaseKeys::scenario, as_written(scenario_patch()))
              .required()
              .describe("what all points have in common"),
          key("series", &CaseKeys::series, list(series_decoder(), 1)).required(),
      },
      verify_series);
  return decoder;
}

/// "n[001-128]" for 128.
std::string host_range(std::int64_t hosts) {
  const std::string last = std::to_string(hosts);
  return "n[" + std::string(last.size() - 1, '0') + "1-" + last + "]";
}

Value wrapped(const char* name, Value value) {
  const Origin origin = value.origin();
  return Value::make_object({Member{name, origin.location, std::move(value)}}, origin);
}

class PointReader {
 public:
  PointReader(const CaseKeys& read, Diagnostics& diagnostics)
      : read_(read), diagnostics_(diagnostics) {}

  TrainingPoint point(const At<PointKeys>& from, const Value& series) {
    TrainingPoint point;
    point.scenario = scenario(from->patch ? merge_patch(series, *from->patch) : series);
    point.value = from->value;
    point.anchor = from->anchor;
    point.flop_per_step = from->flop_per_step;
    point.left_out = from->left_out.value_or("");
    if (point.left_out.empty()) check_scenario(point.scenario.value(), from);
    return point;
  }

 private:
  /// With its hosts and ranks in place of "use".
  Value scenario(const Value& merged) {
    const std::optional<Value> use = find(merged, "use");
    if (!use) return merged;
    std::vector<Member> members = merged.members();
    std::erase_if(members, [](const Member& each) { return each.name == "use"; });
    const Value rest = Value::make_object(std::move(members), merged.origin());
    Diagnostics incomplete;
    check(*use, use_decoder().shape, incomplete);
    diagnostics_.append(incomplete);
    if (incomplete.has_errors()) return rest;
    return with_hosts(rest, use_decoder().read(*use, diagnostics_), use->origin());
  }

  Value with_hosts(const Value& rest, const Use& use, const Origin& origin) {
    const Named<Value>* machine = nullptr;
    std::vector<std::string> known;
    for (const Named<Value>& each : read_.machines) {
      known.push_back(each.name);
      if (each.name == *use.machine) machine = &each;
    }
    if (machine == nullptr) {
      topology::report_unknown(use.machine, "machine of this case", known, diagnostics_);
      return rest;
    }
    const Value hosts = Value::make_object({Member{host_range(use.hosts), machine->key, **machine}},
                                           machine->origin);
    Value patch = wrapped("hosts", hosts);
    if (use.gpus) {
      const std::string whose = find(rest, "vms") ? "*" : "n*";
      const Value ranks =
          Value::make_string(fmt::format("{}/gpu[0-{}]", whose, *use.gpus - 1), origin);
      patch =
          merge_patch(patch, wrapped("job", wrapped("ranks", Value::make_array({ranks}, origin))));
    }
    return merge_patch(rest, patch);
  }

  void check_scenario(const Value& scenario, const At<PointKeys>& point) {
    Diagnostics found;
    check(scenario, whole_scenario(), found);
    diagnostics_.append(found);
    if (found.has_errors()) return;
    if (!find(scenario, "hosts")) {
      topology::report(diagnostics_, point, "the point has no hosts", "\"use\" in a patch");
    } else if (!find(*find(scenario, "job"), "network")) {
      topology::report(diagnostics_, *find(scenario, "job"), "the job trains no network",
                       "\"network\": \"...\"");
    }
  }

  const CaseKeys& read_;
  Diagnostics& diagnostics_;
};

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
  PointReader points(read, diagnostics);
  for (const SeriesKeys& from : read.series) {
    TrainingSeries& series = result.series.emplace_back();
    series.id = *from.id;
    series.metric = from.metric;
    series.of_one_gpu = from.of_one_gpu;
    series.source_factor = from.source_factor;
    const Value scenario = from.patch ? merge_patch(read.scenario, *from.patch) : read.scenario;
    for (const At<PointKeys>& point : from.points) {
      series.points.push_back(points.point(point, scenario));
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return result;
}

}  // namespace vgsim::scenario
