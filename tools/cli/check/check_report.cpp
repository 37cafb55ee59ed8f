#include "tools/cli/check/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "models/scenario/answer/figures.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Finding;
using scenario::FindingKind;

bool is_of_collective(const Finding& finding) {
  return finding.figure.find('@') != std::string::npos;
}

/// By figure the factor between before and now that follows from the change of the layout's
/// time, for figures that are derived from it.
std::map<std::string, double> implied_factors(const std::vector<Finding>& findings) {
  constexpr std::string_view kTime = "time_s@";
  std::map<std::string, double> factors;
  for (const Finding& each : findings) {
    if (each.kind != FindingKind::kDrift || each.change <= -1) continue;
    const double factor = 1 + each.change;
    if (each.figure == "iteration_time_s") {
      for (const char* same : {"epoch_time_s", "training_time_s", "gpu_hours"}) {
        factors[same] = factor;
      }
      for (const scenario::Figure& figure : scenario::figures()) {
        const bool is_rate = figure.unit == scenario::MetricUnit::kPerSecond ||
                             figure.unit == scenario::MetricUnit::kFlops;
        if (is_rate) factors[figure.key] = 1 / factor;
      }
    } else if (each.figure.starts_with(kTime)) {
      const std::string size = each.figure.substr(kTime.size());
      factors["algbw_GBps@" + size] = 1 / factor;
      factors["busbw_GBps@" + size] = 1 / factor;
    }
  }
  return factors;
}

bool is_implied(const Finding& finding, const std::map<std::string, double>& factors) {
  constexpr double kAlike = 0.02;  // of the change
  const auto factor = factors.find(finding.figure);
  return finding.kind == FindingKind::kDrift && factor != factors.end() &&
         std::fabs(finding.change - (factor->second - 1)) <= kAlike * std::fabs(finding.change);
}

}  // namespace

bool fails(const Finding& finding, const CheckReport& report) {
  return finding.kind == FindingKind::kExpectation ||
         (finding.kind == FindingKind::kDrift && !report.updating);
}

Outcome outcome_of(const CheckedScenario& scenario, const CheckReport& report) {
  if (scenario.errors.has_errors() || !scenario.limit.empty()) return Outcome::kError;
  const bool failed = std::any_of(scenario.findings.begin(), scenario.findings.end(),
                                  [&](const Finding& each) { return fails(each, report); });
  return failed ? Outcome::kFailed : Outcome::kHolds;
}

std::size_t count(const CheckReport& report, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(report.scenarios.begin(), report.scenarios.end(),
                    [&](const auto& scenario) { return outcome_of(scenario, report) == outcome; }));
}

int exit_code_of(const CheckReport& report) {
  const auto& all = report.scenarios;
  const auto has_errors = [](const auto& each) { return each.errors.has_errors(); };
  const auto was_stopped = [](const auto& each) { return !each.limit.empty(); };
  if (std::any_of(all.begin(), all.end(), has_errors)) return kBadInput;
  if (std::any_of(all.begin(), all.end(), was_stopped)) return kLimitReached;
  return count(report, Outcome::kFailed) > 0 ? kExpectationFailed : kDone;
}

std::vector<Finding> findings_of(const CheckedScenario& scenario, const std::string& layout) {
  std::vector<Finding> findings;
  std::copy_if(scenario.findings.begin(), scenario.findings.end(), std::back_inserter(findings),
               [&](const Finding& each) {
                 return each.layout == layout && each.kind != FindingKind::kNote;
               });
  const auto implied = implied_factors(findings);
  const auto last =
      std::stable_partition(findings.begin(), findings.end(),
                            [&implied](const Finding& each) { return !is_implied(each, implied); });
  const auto middle = std::stable_partition(findings.begin(), last, [](const Finding& each) {
    return each.kind == FindingKind::kExpectation || !is_of_collective(each);
  });
  std::stable_sort(middle, last, [](const Finding& a, const Finding& b) {
    return std::fabs(a.change) > std::fabs(b.change);
  });
  return findings;
}

std::vector<Finding> failures_of(const CheckedScenario& scenario, const std::string& layout,
                                 const CheckReport& report) {
  std::vector<Finding> findings = findings_of(scenario, layout);
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&report](const Finding& each) { return !fails(each, report); }),
                 findings.end());
  return findings;
}

std::vector<std::string> subjects_of(const CheckedScenario& scenario) {
  std::vector<std::string> names = {""};
  for (const CheckedLayout& layout : scenario.layouts) names.push_back(layout.name);
  for (const Finding& each : scenario.findings) {
    if (std::find(names.begin(), names.end(), each.layout) == names.end()) {
      names.push_back(each.layout);
    }
  }
  names.erase(
      std::remove_if(names.begin(), names.end(),
                     [&](const std::string& name) { return findings_of(scenario, name).empty(); }),
      names.end());
  return names;
}

std::vector<ChangedInput> changed_inputs(const CheckReport& report) {
  std::map<scenario::InputChange, std::size_t> scenarios;
  for (const CheckedScenario& scenario : report.scenarios) {
    const bool moved = !subjects_of(scenario).empty();
    for (const scenario::InputChange& change : scenario.inputs) {
      scenarios[change] += moved ? 1U : 0U;
    }
  }
  std::vector<ChangedInput> all;
  for (const auto& [change, moved] : scenarios) all.push_back({change, moved});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.moved_scenarios > b.moved_scenarios;
  });
  return all;
}

std::string message_of(const ChangedInput& changed) {
  return fmt::format(
      "{} ({})", message_of(changed.change),
      changed.moved_scenarios > 0
          ? fmt::format("{} moved", text::plural(changed.moved_scenarios, "scenario"))
          : "moves nothing");
}

std::string keys_text(const CheckedScenario& scenario) {
  constexpr std::size_t kMostKeys = 5;
  std::vector<std::string> words;
  for (const auto& change : scenario.keys) words.push_back(key_message_of(change));
  const std::size_t more = words.size() > kMostKeys ? words.size() - kMostKeys : 0;
  words.resize(words.size() - more);
  return fmt::format("{}{}", fmt::join(words, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string summary_of(const CheckReport& report) {
  const std::size_t failed = count(report, Outcome::kFailed);
  const std::size_t errors = count(report, Outcome::kError);
  return fmt::format("{}: {} hold{}{}", text::plural(report.scenarios.size(), "scenario"),
                     count(report, Outcome::kHolds),
                     failed > 0 ? fmt::format(", {} failed", failed) : "",
                     errors > 0 ? fmt::format(", {}", text::plural(errors, "error")) : "");
}

std::string place_of(const input::Location& location) {
  if (location.source == nullptr) return {};
  const input::LineColumn at = input::line_column(location);
  return fmt::format("{}:{}:{}", location.source->path, at.line, at.column);
}

std::vector<std::string> errors_of(const CheckedScenario& scenario) {
  std::vector<std::string> lines;
  for (const input::Diagnostic& each : scenario.errors.items()) {
    if (each.severity != input::Severity::error) continue;
    const std::string place = place_of(each.location);
    const std::string meant = each.suggestions.empty()
                                  ? ""
                                  : fmt::format("; did you mean \"{}\"?", each.suggestions.front());
    lines.push_back(fmt::format("{}{}{}: {}{}", place, place.empty() ? "" : ": ", each.code,
                                each.message, meant));
  }
  if (!scenario.limit.empty()) lines.push_back(scenario.limit);
  return lines;
}

}  // namespace vgsim::cli
