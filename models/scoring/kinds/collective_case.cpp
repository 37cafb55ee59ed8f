#include "models/scoring/kinds/collective_case.hpp"

#include <algorithm>
#include <string_view>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

bool is_slug_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || c == '+';
}

/// A name that is valid in tables, file names and on a command line.
Shape slug_shape() {
  const std::string noun = "a name of at most 100 letters, digits, dots, dashes, + and _";
  return pattern_string(noun, "^[A-Za-z0-9._+-]{1,100}$",
                        [noun](std::string_view text) -> std::optional<std::string> {
                          const bool fits =
                              !text.empty() && text.size() <= 100 &&
                              std::all_of(text.begin(), text.end(), is_slug_character);
                          return fits ? std::nullopt : std::optional(noun);
                        });
}

Shape source_shape() {
  return object_shape({
      field("url", string_shape())
          .required()
          .describe("address of the measurement, or another reference"),
      field("date", name_shape())
          .required()
          .describe("of the measurement")
          .examples({"2026-05-18"}),
      field("title", string_shape()).describe("of the document"),
  });
}

Shape point_shape() {
  return object_shape({
      field("size", bytes_shape(Bytes{1}))
          .required()
          .describe("message size, as nccl-tests counts it")
          .examples({"1 MiB", "1048576 B"}),
      field("time", time_shape(SimTime{1}))
          .describe("measured time; a point without time and rate is predicted but not scored")
          .examples({"12.3 us"}),
      field("algbw", rate_shape(BytesPerSecond{1}))
          .describe("measured size over time, instead of the time")
          .examples({"26.5 GB/s"}),
      field("busbw", rate_shape(BytesPerSecond{1}))
          .describe("measured bus bandwidth as nccl-tests defines it, instead of the time")
          .examples({"46.4 GB/s"}),
  });
}

std::vector<Field> about_fields() {
  return {
      field("format", enum_shape({kCollectiveCaseFormat})).required(),
      field("id", slug_shape()).required().describe("name of the case in scores; unique"),
      field("title", name_shape())
          .required()
          .describe("description in one line")
          .examples({"8 x B200, one node, all_reduce"}),
      field("class", slug_shape())
          .required()
          .describe("kind of machine; errors are listed by it")
          .examples({"nvswitch"}),
      field("group", slug_shape())
          .describe("one machine or document; all its cases count as one")
          .default_text("the id"),
      field("grade", enum_shape({"A", "B", "C"}))
          .required()
          .describe("A: set-up fully stated and healthy; B: some of it inferred; C: anomalous or "
                    "misconfigured, shown but not counted"),
      field("grade_reason", string_shape()).describe("reason for a grade below A"),
      field("virtualization", name_shape())
          .describe("hardware and software of the measurement")
          .examples({"bare-metal"}),
      field("source", source_shape()).describe("required if a point has a measurement"),
      field("stated", array_shape(string_shape()))
          .describe("statements of the source about the set-up"),
      field("not_stated", array_shape(string_shape()))
          .describe("assumptions of the scenario that the source does not state")
          .examples({"[\"NCCL version\"]"}),
      field("note", string_shape()),
  };
}

MeasuredPoint read_point(const Value& value, Diagnostics& diagnostics) {
  MeasuredPoint point;
  point.size = as_bytes(*find(value, "size"));
  if (const auto time = find(value, "time")) point.time = as_time(*time);
  if (const auto rate = find(value, "algbw")) point.algbw = as_rate(*rate);
  if (const auto rate = find(value, "busbw")) point.busbw = as_rate(*rate);
  if (point.time.has_value() + point.algbw.has_value() + point.busbw.has_value() > 1) {
    topology::report(diagnostics, value, "a point has more than one measurement",
                     "one of \"time\", \"algbw\" and \"busbw\"");
  }
  return point;
}

/// Checks a whole case beyond its shape.
void check_case(const Value& document, const CollectiveCase& measured, Diagnostics& diagnostics) {
  if (find(document, "scenario")->is_object()) {
    const Value job = *find(*find(document, "scenario"), "job");
    if (!find(job, "collective")) {
      topology::report(diagnostics, job, "the job is not a collective", "\"collective\": \"...\"");
    }
    if (const auto sizes = find(job, "sizes")) {
      topology::report(diagnostics, *sizes, "the sizes of a case are those of its points");
    }
  }
  const bool is_measured = std::any_of(measured.points.begin(), measured.points.end(),
                                       [](const auto& point) { return point.is_measured(); });
  if (is_measured && !find(document, "source")) {
    topology::report(diagnostics, document, "a measurement without \"source\"",
                     "\"source\": { \"url\": ..., \"date\": ... }");
  }
}

}  // namespace

Shape case_shape() {
  std::vector<Field> fields = about_fields();
  fields.push_back(field("scenario", any_of_shape({name_shape(), scenario::scenario_shape()}))
                       .required()
                       .describe("the machine and the collective as a scenario, or the "
                                 "path of its file relative to this one"));
  fields.push_back(field("layout", name_shape())
                       .describe("layout of the scenario that was measured; only if it has "
                                 "several"));
  fields.push_back(field("points", array_shape(point_shape(), 1, 1000))
                       .required()
                       .describe("message sizes with their measurements"));
  return object_shape(std::move(fields));
}

tl::expected<CollectiveCase, Diagnostics> read_case(const scenario::Document& of_case) {
  const Value& document = of_case.value();
  Diagnostics diagnostics;
  check(document, case_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);

  CollectiveCase measured;
  CaseHead& head = measured.head;
  head.id = as_string(*find(document, "id"));
  head.origin = find(document, "id")->origin();
  head.title = as_string(*find(document, "title"));
  head.class_name = as_string(*find(document, "class"));
  const auto group = find(document, "group");
  head.group = group ? as_string(*group) : head.id;
  head.grade = as_string(*find(document, "grade"));
  head.counts = head.grade != "C";
  const Value scenario = *find(document, "scenario");
  measured.scenario_origin = scenario.origin();
  if (scenario.is_object()) {
    measured.scenario = scenario;
  } else {
    measured.scenario_file = as_string(scenario);
  }
  if (const auto layout = find(document, "layout")) {
    measured.layout = At<std::string>{as_string(*layout), layout->origin()};
  }
  for (const Value& point : find(document, "points")->elements()) {
    measured.points.push_back(read_point(point, diagnostics));
  }
  check_case(document, measured, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return measured;
}

}  // namespace vgsim::scoring
