#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/cli/check/writers.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Finding;

constexpr std::size_t kMostMarkdownFigures = 5;  ///< of a layout
constexpr std::size_t kMostMarkdownInputs = 20;

/// Text for a cell or a list, with Markdown and HTML escaped.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '\n' || c == '\r') {
      out += ' ';
    } else {
      if (std::string_view("\\`*[]|~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string row(const CheckedScenario& scenario, const Finding& finding) {
  const std::string kind = finding.kind == scenario::FindingKind::kExpectation ? "expected " : "";
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", plain(scenario.path),
                     plain(finding.layout), plain(finding.figure), kind + plain(finding.expected),
                     plain(finding.found), plain(finding.words));
}

std::string rows_of(const CheckedScenario& scenario) {
  std::string text;
  for (const std::string& subject : subjects_of(scenario)) {
    const auto findings = findings_of(scenario, subject);
    for (std::size_t f = 0; f < std::min(kMostMarkdownFigures, findings.size()); ++f) {
      text += row(scenario, findings[f]);
    }
    if (findings.size() > kMostMarkdownFigures) {
      text += fmt::format("| {} | {} | and {} more | | | |\n", plain(scenario.path), plain(subject),
                          findings.size() - kMostMarkdownFigures);
    }
  }
  return text;
}

std::string inputs_of(const CheckReport& report) {
  const auto changes = changed_inputs(report);
  if (changes.empty()) return {};
  std::string text = "Constants that changed since the baselines:\n\n";
  for (std::size_t c = 0; c < std::min(changes.size(), kMostMarkdownInputs); ++c) {
    text += fmt::format("- {}\n", plain(message_of(changes[c])));
  }
  if (changes.size() > kMostMarkdownInputs) {
    text += fmt::format("- and {} more\n", changes.size() - kMostMarkdownInputs);
  }
  return text + "\n";
}

std::string keys_list(const CheckReport& report) {
  std::string text;
  for (const CheckedScenario& scenario : report.scenarios) {
    const std::string keys = keys_text(scenario);
    if (!keys.empty()) text += fmt::format("- {}: {}\n", plain(scenario.path), plain(keys));
  }
  return text.empty() ? ""
                      : fmt::format("Scenarios that changed since their baselines:\n\n{}\n", text);
}

std::string errors_list(const CheckReport& report) {
  std::string text;
  for (const CheckedScenario& scenario : report.scenarios) {
    for (const std::string& line : errors_of(scenario)) {
      text += fmt::format("- {}: {}\n", plain(scenario.path), plain(line));
    }
  }
  return text.empty() ? "" : fmt::format("Errors:\n\n{}\n", text);
}

}  // namespace

std::string check_markdown(const CheckReport& report, std::size_t most_bytes) {
  std::string text =
      fmt::format("## vgsim check: {}\n\n", exit_code_of(report) == 0 ? "all holds" : "failed");
  text += summary_of(report) + "\n\n" + inputs_of(report) + keys_list(report) + errors_list(report);
  std::string rows;
  std::size_t left_out = 0;
  for (const CheckedScenario& scenario : report.scenarios) {
    const std::string more = rows_of(scenario);
    const bool fits = text.size() + rows.size() + more.size() + 500 <= most_bytes;
    if (fits) rows += more;
    left_out += fits ? 0U : 1U;
  }
  if (!rows.empty()) {
    text += fmt::format(
        "| scenario | layout | figure | {} | now | change |\n| --- | --- | --- | --- | --- | --- "
        "|\n{}\n",
        report.updating ? "before" : "baseline, or expected", rows);
  }
  if (left_out > 0) text += fmt::format("{} left out.\n", text::plural(left_out, "more scenario"));
  return text;
}

}  // namespace vgsim::cli
