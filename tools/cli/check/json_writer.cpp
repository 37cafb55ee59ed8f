#include <nlohmann/json.hpp>

#include "tools/cli/check/writers.hpp"

namespace vgsim::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* word_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::kHolds:
      return "holds";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kError:
      return "error";
  }
  return "";
}

const char* word_for(BaselineState state) {
  switch (state) {
    case BaselineState::kUnused:
      return "unused";
    case BaselineState::kMissing:
      return "missing";
    case BaselineState::kCompared:
      return "compared";
    case BaselineState::kNew:
      return "new";
    case BaselineState::kUpdated:
      return "updated";
    case BaselineState::kSame:
      return "same";
    case BaselineState::kRemoved:
      return "removed";
  }
  return "";
}

void add_place(const input::Location& location, const std::string& pointer, Json& out) {
  if (location.source != nullptr) {
    const input::LineColumn at = input::line_column(location);
    out["file"] = location.source->path;
    out["line"] = at.line;
    out["column"] = at.column;
  }
  if (!pointer.empty()) out["pointer"] = pointer;
}

Json finding_json(const scenario::Finding& finding) {
  Json out{{"kind", to_string(finding.kind)},
           {"layout", finding.layout.empty() ? Json(nullptr) : Json(finding.layout)},
           {"figure", finding.figure},
           {"expected", finding.expected},
           {"found", finding.found},
           {"message", message_of(finding)}};
  if (finding.change != 0.0) out["change"] = finding.change;
  add_place(finding.location, finding.pointer, out);
  return out;
}

Json error_json(const input::Diagnostic& error) {
  Json out{{"code", error.code}, {"message", error.message}, {"expected", error.expected}};
  add_place(error.location, error.pointer, out);
  return out;
}

Json change_json(const scenario::InputChange& change) {
  return {{"name", change.name}, {"before", change.before}, {"now", change.now}};
}

Json scenario_json(const CheckedScenario& scenario, const CheckReport& report) {
  Json out{{"name", scenario.name},
           {"outcome", word_for(outcome_of(scenario, report))},
           {"baseline", word_for(scenario.baseline)},
           {"expectations", scenario.expectations},
           {"figures_compared", scenario.figures},
           {"scenario_changed", scenario.scenario_changed},
           {"changed_keys", Json::array()},
           {"layouts", Json::array()},
           {"findings", Json::array()},
           {"changed_inputs", Json::array()},
           {"errors", Json::array()}};
  for (const CheckedLayout& layout : scenario.layouts) out["layouts"].push_back(layout.name);
  for (const auto& finding : scenario.findings) out["findings"].push_back(finding_json(finding));
  for (const auto& change : scenario.inputs) out["changed_inputs"].push_back(change_json(change));
  for (const auto& change : scenario.keys) out["changed_keys"].push_back(change_json(change));
  for (const auto& error : scenario.errors.items()) {
    if (error.severity == input::Severity::error) out["errors"].push_back(error_json(error));
  }
  if (!scenario.limit.empty()) out["limit"] = scenario.limit;
  return out;
}

}  // namespace

std::string check_json(const CheckReport& report) {
  Json out{{"schema", "vgsim.check/1"},
           {"hold", count(report, Outcome::kHolds)},
           {"failed", count(report, Outcome::kFailed)},
           {"errors", count(report, Outcome::kError)},
           {"scenarios", Json::object()}};
  for (const CheckedScenario& scenario : report.scenarios) {
    out["scenarios"][scenario.path] = scenario_json(scenario, report);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::cli
