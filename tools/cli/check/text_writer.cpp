#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/check/writers.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Finding;
using scenario::FindingKind;

constexpr std::size_t kMostFigures = 3;          ///< of a layout
constexpr std::size_t kMostFiguresUpdated = 20;  ///< of a layout, if all of them are updated
constexpr std::size_t kMostInputs = 5;
constexpr std::size_t kMostInputsOfAll = 20;

const char* word_for(const CheckedScenario& scenario, const CheckReport& report) {
  switch (outcome_of(scenario, report)) {
    case Outcome::kHolds:
      break;
    case Outcome::kFailed:
      return "FAIL";
    case Outcome::kError:
      return "ERROR";
  }
  switch (scenario.baseline) {
    case BaselineState::kNew:
      return "new";
    case BaselineState::kUpdated:
      return "updated";
    case BaselineState::kSame:
      return "same";
    case BaselineState::kRemoved:
      return "removed";
    default:
      return "ok";
  }
}

/// "3 expectations, 48 figures as in the baseline".
std::string what_holds(const CheckedScenario& scenario) {
  const std::string expectations =
      scenario.expectations > 0 ? text::plural(scenario.expectations, "expectation") : "";
  if (scenario.baseline == BaselineState::kCompared) {
    return fmt::format("{}{}{} as in the baseline", expectations, expectations.empty() ? "" : ", ",
                       text::plural(scenario.figures, "figure"));
  }
  if (!expectations.empty() || scenario.baseline != BaselineState::kUnused) return expectations;
  return "ran; no expectations";
}

std::string findings_text(const CheckedScenario& scenario, const std::string& layout,
                          const CheckReport& report) {
  const auto findings = findings_of(scenario, layout);
  const std::size_t most = report.updating ? kMostFiguresUpdated : kMostFigures;
  const std::string indent(layout.empty() ? 2 : 4, ' ');
  std::string text;
  const bool has_drifted = !findings.empty() && findings.front().kind == FindingKind::kDrift;
  const std::string place = has_drifted ? place_of(findings.front().location) : "";
  if (!layout.empty()) text += fmt::format("  {}{}{}\n", layout, has_drifted ? "  " : "", place);
  for (std::size_t f = 0; f < std::min(most, findings.size()); ++f) {
    text += fmt::format("{}{}\n", indent, message_of(findings[f]));
    if (findings[f].kind != FindingKind::kExpectation) continue;
    text +=
        fmt::format("{}  {}  {}\n", indent, place_of(findings[f].location), findings[f].pointer);
  }
  if (findings.size() > most) {
    text += fmt::format("{}and {} more\n", indent, findings.size() - most);
  }
  return text;
}

std::string scenario_change_text(const CheckedScenario& scenario) {
  if (!scenario.scenario_changed) return {};
  const std::string keys = keys_text(scenario);
  return fmt::format("  the scenario itself has changed since the baseline{}{}\n",
                     keys.empty() ? "" : ": ", text::wrap(keys, 4));
}

std::string changes_text(const CheckedScenario& scenario) {
  std::string text = scenario_change_text(scenario);
  if (scenario.inputs.empty()) return text;
  std::vector<std::string> words;
  for (const auto& change : scenario.inputs) words.push_back(message_of(change));
  const std::size_t more = words.size() > kMostInputs ? words.size() - kMostInputs : 0;
  words.resize(words.size() - more);
  return text + fmt::format("  changed since the baseline: {}{}\n", fmt::join(words, ", "),
                            more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string notes_text(const CheckedScenario& scenario) {
  std::string text;
  for (const Finding& each : scenario.findings) {
    if (each.kind != FindingKind::kNote) continue;
    text += fmt::format("  note: {}{}{}\n", each.layout, each.layout.empty() ? "" : ": ",
                        message_of(each));
  }
  return text;
}

std::string scenario_text(const CheckedScenario& scenario, const CheckReport& report) {
  const auto subjects = subjects_of(scenario);
  const bool holds = outcome_of(scenario, report) == Outcome::kHolds;
  const std::string first = fmt::format("{:<7} {}", word_for(scenario, report), scenario.path);
  const std::string held = holds ? what_holds(scenario) : "";
  std::string text = held.empty() ? first + "\n" : fmt::format("{}  {}\n", first, held);
  for (const std::string& line : errors_of(scenario)) text += fmt::format("  {}\n", line);
  for (const std::string& subject : subjects) text += findings_text(scenario, subject, report);
  text += subjects.empty() ? scenario_change_text(scenario) : changes_text(scenario);
  return text + notes_text(scenario);
}

/// The constants that caused most of the drift.
std::string inputs_text(const CheckReport& report) {
  const auto changes = changed_inputs(report);
  std::string text = changes.empty() ? "" : "\nconstants that changed since the baselines\n";
  for (std::size_t c = 0; c < std::min(changes.size(), kMostInputsOfAll); ++c) {
    text += fmt::format("  {}\n", message_of(changes[c]));
  }
  if (changes.size() > kMostInputsOfAll) {
    text += fmt::format("  and {} more\n", changes.size() - kMostInputsOfAll);
  }
  return text;
}

/// "baselines: 3 updated, 65 the same"
std::string baselines_text(const CheckReport& report) {
  const auto counted = [&report](BaselineState state, const char* word) {
    const auto times = std::count_if(report.scenarios.begin(), report.scenarios.end(),
                                     [state](const auto& each) { return each.baseline == state; });
    return times > 0 ? fmt::format(", {} {}", times, word) : "";
  };
  const std::string words =
      counted(BaselineState::kNew, "new") + counted(BaselineState::kUpdated, "updated") +
      counted(BaselineState::kSame, "the same") + counted(BaselineState::kRemoved, "removed");
  return words.empty() ? "" : fmt::format("baselines: {}\n", words.substr(2));
}

}  // namespace

std::string check_text(const CheckReport& report) {
  std::string text;
  for (const CheckedScenario& scenario : report.scenarios) text += scenario_text(scenario, report);
  text += inputs_text(report) + "\n" + summary_of(report) + "\n";
  return report.updating ? text + baselines_text(report) : text;
}

}  // namespace vgsim::cli
