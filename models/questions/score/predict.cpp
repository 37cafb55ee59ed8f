#include "models/questions/score/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "models/scenario/answer/simulate.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Member;
using input::Value;
using topology::report;

/// A scenario document and how to load what it names.
struct Document {
  Value value;
  input::FileLoader load;
};

std::optional<Document> open_scenario(const MeasuredCase& measured, const input::FileLoader& load,
                                      Diagnostics& diagnostics) {
  if (measured.scenario.is_object()) return Document{measured.scenario, load};
  const std::filesystem::path path = measured.scenario.string();
  const auto file = load(path.string());
  if (!file) {
    diagnostics.append(file.error());
    report(diagnostics, measured.scenario, "the case's scenario cannot be read");
    return std::nullopt;
  }
  auto document = input::read_json(*file);
  if (!document) {
    diagnostics.append(document.error());
    return std::nullopt;
  }
  return Document{std::move(*document),
                  [load, dir = path.parent_path()](const std::string& relative) {
                    return load((dir / relative).string());
                  }};
}

Value object_of(const char* name, Value value) {
  return Value::make_object({Member{name, {}, std::move(value)}});
}

/// {"job": {"sizes": [...]}}: the sizes of the points, which keep the place that they come from.
Value sizes_patch(const MeasuredCase& measured) {
  std::vector<Value> sizes;
  for (const Value& point : find(measured.value, "points")->elements()) {
    sizes.push_back(*find(point, "size"));
  }
  return object_of(
      "job", object_of("sizes", Value::make_array(std::move(sizes), measured.value.origin())));
}

Value algorithm_patch(const char* algorithm) {
  return object_of("job", object_of("nccl", object_of("NCCL_ALGO", Value::make_string(algorithm))));
}

/// The scenario with the patch over its base and over each of its layouts, which come later.
Value with_patch(const Value& scenario, const Value& patch) {
  Value patched = input::merge_patch(scenario, patch);
  const auto layouts = find(patched, "layouts");
  if (!layouts || !layouts->is_object()) return patched;
  std::vector<Member> members = layouts->members();
  for (Member& layout : members) layout.value = input::merge_patch(layout.value, patch);
  return input::merge_patch(
      patched, object_of("layouts", Value::make_object(std::move(members), layouts->origin())));
}

/// The scenario with the layout that was measured as its only one.
std::optional<Value> with_one_layout(const Value& scenario, const MeasuredCase& measured,
                                     Diagnostics& diagnostics) {
  const auto layouts = find(scenario, "layouts");
  const std::vector<Member> members =
      layouts && layouts->is_object() ? layouts->members() : std::vector<Member>{};
  if (!measured.layout && members.size() < 2) return scenario;
  std::vector<std::string> names;
  std::vector<Member> kept;
  const std::string wanted = measured.layout ? measured.layout->string() : std::string();
  for (const Member& layout : members) {
    names.push_back(layout.name);
    if (layout.name == wanted) kept.push_back(layout);
  }
  if (kept.empty()) {
    report(diagnostics, measured.layout.value_or(measured.value),
           measured.layout ? fmt::format("the scenario has no layout \"{}\"", wanted)
                           : std::string("the scenario has several layouts"),
           fmt::format("\"layout\": the one that was measured, of: {}", fmt::join(names, ", ")),
           input::suggest(wanted, names));
    return std::nullopt;
  }
  std::vector<Member> result = scenario.members();
  for (Member& member : result) {
    if (member.name == "layouts") {
      member.value = Value::make_object(std::move(kept), layouts->origin());
    }
  }
  return Value::make_object(std::move(result), scenario.origin());
}

/// Checks what a case needs beyond a sound scenario, which run_scenario() checks.
void check_job(const Value& scenario, const MeasuredCase& measured, Diagnostics& diagnostics) {
  const auto job = find(scenario, "job");
  if (!job) return;
  if (find(*job, "network") && !find(*job, "collective")) {
    report(diagnostics, *job, "the job of a case is a collective", "\"collective\": \"...\"");
  }
  const auto nccl = find(*job, "nccl");
  const auto algorithm = nccl ? find(*nccl, "NCCL_ALGO") : std::nullopt;
  if (measured.algorithm_unknown && algorithm) {
    report(diagnostics, *algorithm, "the case says that the algorithm is unknown",
           "no NCCL_ALGO, or no \"algorithm_unknown\"");
  }
}

/// A layout that vSphere does not power on has no times to compare.
void report_refused(const LayoutResult& layout, const MeasuredCase& measured,
                    Diagnostics& diagnostics) {
  for (const Warning& warning : layout.warnings) {
    if (warning.verdict != vsphere::Verdict::kRefused) continue;
    report(
        diagnostics, measured.scenario,
        fmt::format("vSphere {} refuses it: {} [{}]", layout.vsphere, warning.text, warning.rule),
        "a layout that was measured");
  }
}

TimeInterval interval_of(const CollectivePoint& point) {
  return {point.time, point.low, point.high};
}

}  // namespace

tl::expected<CasePrediction, Diagnostics> predict(const MeasuredCase& measured,
                                                  const Library& library,
                                                  const input::FileLoader& load,
                                                  const RunSettings& settings) {
  Diagnostics diagnostics;
  const auto document = open_scenario(measured, load, diagnostics);
  if (!document) return tl::unexpected(diagnostics);
  const auto one = with_one_layout(document->value, measured, diagnostics);
  if (!one) return tl::unexpected(diagnostics);
  check_job(*one, measured, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);

  const Value scenario = with_patch(*one, sizes_patch(measured));
  // Whoever fits parameters notes for itself which of them are used.
  RunSettings own = settings;
  own.note_inputs = false;
  const auto run = [&](const Value& variant) {
    return run_scenario(variant, library, document->load, own);
  };
  const auto result = run(scenario);
  if (!result) return tl::unexpected(result.error());
  const LayoutResult& layout = result->layouts.front();
  if (!layout.collective) {
    report_refused(layout, measured, diagnostics);
    return tl::unexpected(diagnostics);
  }
  CasePrediction prediction{layout.collective->collective, layout.ranks, layout.machines, {}};
  for (const CollectivePoint& point : layout.collective->points) {
    if (point.time == SimTime{0}) {
      report(diagnostics, measured.scenario, "the collective takes no time: nothing to compare",
             "a job of several ranks");
      return tl::unexpected(diagnostics);
    }
    prediction.points.push_back({interval_of(point), {}, {}, point.busbw_GBps / point.algbw_GBps});
  }
  if (!measured.algorithm_unknown) return prediction;
  for (const auto& [algorithm, member] :
       {std::pair{"Ring", &PredictedPoint::ring}, std::pair{"Tree", &PredictedPoint::tree}}) {
    const auto variant = run(with_patch(scenario, algorithm_patch(algorithm)));
    if (!variant) return tl::unexpected(variant.error());
    for (std::size_t p = 0; p < prediction.points.size(); ++p) {
      prediction.points[p].*member = interval_of(variant->layouts.front().collective->points[p]);
    }
  }
  return prediction;
}

}  // namespace vgsim::scenario
