#pragma once

#include <cstddef>
#include <string>

#include "tools/cli/check/check_report.hpp"

namespace vgsim::cli {

/// For people: a line per scenario, findings below it, a summary at the end.
[[nodiscard]] std::string check_text(const CheckReport& report);

/// `vgsim.check/1`: everything, as JSON with a newline at the end.
[[nodiscard]] std::string check_json(const CheckReport& report);

/// JUnit XML by the rules of junit-10.xsd (Jenkins), which GitLab reads as well: a suite per
/// scenario, with a case per layout and one for the scenario as a whole. Invalid input is an
/// <error>, all else a <failure>. The same report gives the same text: no times.
[[nodiscard]] std::string check_junit(const CheckReport& report);

/// Workflow commands of GitHub Actions, "::error file=...,line=...,col=...,title=...::...":
/// changed constants first, then one for each layout with findings.
[[nodiscard]] std::string check_annotations(const CheckReport& report);

/// A summary in GitHub's and GitLab's Markdown with a table of findings, at most that many
/// bytes.
[[nodiscard]] std::string check_markdown(const CheckReport& report,
                                         std::size_t most_bytes = 1'000'000);

}  // namespace vgsim::cli
