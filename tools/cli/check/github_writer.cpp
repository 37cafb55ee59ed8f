#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "tools/cli/check/writers.hpp"

namespace vgsim::cli {
namespace {

using scenario::Finding;

constexpr std::size_t kMostGithubFigures = 5;  ///< of a layout
constexpr std::size_t kMostGithubInputs = 10;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Escapes a message of GitHub Actions.
std::string escaped(std::string text) {
  replace_all(text, "%", "%25");
  replace_all(text, "\r", "%0D");
  replace_all(text, "\n", "%0A");
  return text;
}

/// Escapes a property.
std::string escaped_property(std::string text) {
  text = escaped(std::move(text));
  replace_all(text, ":", "%3A");
  replace_all(text, ",", "%2C");
  return text;
}

/// Annotations need paths from the root of the repository, where workflows start.
std::string from_here(const std::string& path) {
  const std::filesystem::path given(path);
  if (given.is_relative()) return given.lexically_normal().generic_string();
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  const auto relative = given.lexically_relative(here);
  return error || relative.empty() || *relative.begin() == ".." ? path : relative.generic_string();
}

std::string annotation(const char* command, const input::Location& location,
                       const std::string& fallback_file, const std::string& title,
                       const std::string& message) {
  const bool is_known = location.source != nullptr;
  const input::LineColumn at = is_known ? input::line_column(location) : input::LineColumn{};
  const std::string file = is_known ? location.source->path : fallback_file;
  const std::string place =
      file.empty() ? ""
                   : fmt::format("file={},line={},col={},", escaped_property(from_here(file)),
                                 at.line, at.column);
  return fmt::format("::{} {}title={}::{}\n", command, place, escaped_property(title),
                     escaped(message));
}

std::string subject_annotation(const CheckedScenario& scenario, const std::string& layout,
                               const CheckReport& report) {
  const auto findings = failures_of(scenario, layout, report);
  if (findings.empty()) return {};
  std::vector<std::string> lines;
  for (std::size_t f = 0; f < std::min(kMostGithubFigures, findings.size()); ++f) {
    lines.push_back(message_of(findings[f]));
  }
  if (findings.size() > kMostGithubFigures) {
    lines.push_back(fmt::format("and {} more", findings.size() - kMostGithubFigures));
  }
  if (const std::string keys = keys_text(scenario); !keys.empty()) {
    lines.push_back("changed in the scenario: " + keys);
  }
  std::string subject = scenario.name.empty() ? scenario.path : scenario.name;
  if (!layout.empty() && layout != scenario.name) subject += fmt::format(", {}", layout);
  return annotation("error", findings.front().location, scenario.path, subject,
                    fmt::format("{}: {}", subject, fmt::join(lines, "\n")));
}

std::string inputs_annotation(const CheckReport& report) {
  const auto changes = changed_inputs(report);
  if (changes.empty() || report.updating) return {};
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < std::min(changes.size(), kMostGithubInputs); ++c) {
    lines.push_back(message_of(changes[c]));
  }
  if (changes.size() > kMostGithubInputs) {
    lines.push_back(fmt::format("and {} more", changes.size() - kMostGithubInputs));
  }
  return annotation("error", {}, "", "constants changed since the baselines",
                    fmt::format("{}", fmt::join(lines, "\n")));
}

std::string errors_annotations(const CheckedScenario& scenario) {
  std::string text;
  for (const input::Diagnostic& each : scenario.errors.items()) {
    if (each.severity != input::Severity::error) continue;
    const std::string expected =
        each.expected.empty() ? "" : fmt::format("\nexpected {}", each.expected);
    text += annotation("error", each.location, scenario.path, each.code, each.message + expected);
  }
  if (!scenario.limit.empty()) {
    text += annotation("error", {}, scenario.path, "limit", scenario.limit);
  }
  return text;
}

}  // namespace

std::string check_annotations(const CheckReport& report) {
  std::string text = inputs_annotation(report);
  for (const CheckedScenario& scenario : report.scenarios) text += errors_annotations(scenario);
  for (const CheckedScenario& scenario : report.scenarios) {
    for (const std::string& subject : subjects_of(scenario)) {
      text += subject_annotation(scenario, subject, report);
    }
    for (const Finding& each : scenario.findings) {
      if (each.kind != scenario::FindingKind::kNote) continue;
      text += annotation(
          "notice", each.location, scenario.path, scenario.name,
          fmt::format("{}{}{}", each.layout, each.layout.empty() ? "" : ": ", message_of(each)));
    }
  }
  return text;
}

}  // namespace vgsim::cli
