#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/verdict_table.hpp"

namespace vgsim::scoring {
namespace {

/// The verdict of the rules on a scenario.
struct Answer {
  bool is_supported = true;
  bool is_refused = false;           ///< it cannot be powered on at all
  std::vector<std::string> reasons;  ///< ids of rules, or codes of errors
  std::string text;
};

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

void add_reason(const std::string& reason, const std::string& text, Answer& answer) {
  answer.reasons.push_back(reason);
  answer.text += fmt::format("{}[{}] {}", answer.text.empty() ? "" : "; ", reason, text);
}

/// A scenario that cannot be built is refused, by the code of its error.
Answer answer_of_errors(const input::Diagnostics& errors) {
  Answer answer{false, true, {}, {}};
  for (const input::Diagnostic& each : errors.items()) {
    if (each.severity == input::Severity::error) add_reason(each.code, each.message, answer);
  }
  return answer;
}

Answer answer_to(const ExpectedVerdict& expected, const CaseFile& file,
                 const scenario::Library& library) {
  const auto result = scenario::validate_scenario(expected.scenario, library, file.load);
  if (!result) return answer_of_errors(result.error());
  const scenario::LayoutResult& layout = result->layouts.front();
  Answer answer{!layout.refused, layout.refused, {}, {}};
  for (const scenario::Warning& each : layout.warnings) {
    const bool is_loss = contains(expected.losses, each.rule);
    if (is_loss) answer.is_supported = false;
    if (is_loss || each.verdict == vsphere::Verdict::kRefused) {
      add_reason(each.rule, each.text, answer);
    }
  }
  return answer;
}

VerdictOutcome outcome_of(const ExpectedVerdict& expected, const Answer& answer) {
  if (expected.is_supported) {
    return answer.is_supported ? VerdictOutcome::kRight : VerdictOutcome::kFalseRefusal;
  }
  if (answer.is_supported) return VerdictOutcome::kFalseAccept;
  const bool is_of_wrong_kind = !expected.feature.empty() && answer.is_refused;
  const bool has_reason = !expected.rule || contains(answer.reasons, *expected.rule);
  // An error in a scenario counts as a verdict only where it is the expected one.
  const bool is_error =
      !expected.rule && !answer.reasons.empty() && answer.reasons.front().starts_with("E");
  const bool is_right = has_reason && !is_of_wrong_kind && !is_error;
  return is_right ? VerdictOutcome::kRight : VerdictOutcome::kWrongReason;
}

Point point_of_verdict(const ExpectedVerdict& expected, const CaseFile& file,
                       const scenario::Library& library) {
  const Answer answer = answer_to(expected, file, library);
  Point point;
  point.label = expected.id;
  point.measured = expected.is_supported ? 1 : 0;
  point.predicted = answer.is_supported ? 1 : 0;
  point.error = *point.predicted - *point.measured;
  point.verdict = outcome_of(expected, answer);
  point.facts = {{"claim", expected.claim}, {"sources", expected.sources}};
  if (!expected.feature.empty()) point.facts.push_back({"feature", expected.feature});
  if (expected.rule) point.facts.push_back({"rule", *expected.rule});
  if (!answer.text.empty()) point.facts.push_back({"reasons", answer.text});
  return point;
}

Prediction judge_table(const VerdictTable& table, const CaseFile& file,
                       const scenario::Library& library) {
  MeasuredSeries series{"verdicts", kVerdictMetric, {}};
  for (const ExpectedVerdict& expected : table.verdicts) {
    Point& point = series.points.emplace_back(point_of_verdict(expected, file, library));
    point.source.point = series.points.size() - 1;
  }
  return {{std::move(series)}, {}, {}};
}

std::vector<Case> read_verdict_tables(const std::vector<CaseFile>& files,
                                      const scenario::Library& library,
                                      input::Diagnostics& diagnostics) {
  std::vector<Case> cases;
  for (const CaseFile& file : files) {
    auto table = read_verdict_table(file.source, library.vsphere->rules);
    if (!table) {
      diagnostics.append(table.error());
      continue;
    }
    CaseHead head{*table->area, table->title, *table->area, "", "A", true, {}, table->area.origin};
    cases.push_back(
        {std::move(head), [table = std::move(*table), file](const PredictionSettings& settings) {
           return judge_table(table, file, settings.library);
         }});
  }
  return cases;
}

}  // namespace

CaseKind verdict_tables() {
  return {.name = "verdicts",
          .format = kVerdictTableFormat,
          .shape = &verdict_table_shape,
          .read = &read_verdict_tables,
          .weighting = Weighting::kPoints,
          .parts = {kAll},
          .columns = {"points", "right", "false accepts", "false refusals", "wrong reason"},
          .legend =
              "false accept: what sources refuse is supported, or a lost feature kept; "
              "false refusal: the other way round; wrong reason: refused, but not by the "
              "rule that the row names"};
}

}  // namespace vgsim::scoring
