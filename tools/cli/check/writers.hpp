#pragma once

#include <cstddef>
#include <string>

#include "tools/cli/check/check_report.hpp"

namespace vgsim::cli {

/// For people: a line for each scenario, below it what was found, at the end a summary.
[[nodiscard]] std::string check_text(const CheckReport& report);

/// `vgsim.check/1`: everything, as JSON with a newline at the end.
[[nodiscard]] std::string check_json(const CheckReport& report);

/// JUnit XML by the rules of junit-10.xsd (Jenkins), which GitLab reads as well: a suite for each
/// scenario, in it a case for each layout, and one for what concerns the scenario as a whole. Input
/// that is bad is an <error>, all else a <failure>. The same report gives the same text: no times.
[[nodiscard]] std::string check_junit(const CheckReport& report);

/// Workflow commands of GitHub Actions, "::error file=...,line=...,col=...,title=...::...": what
/// constants have changed first, then one for each layout with findings.
[[nodiscard]] std::string check_annotations(const CheckReport& report);

/// A summary in GitHub's and GitLab's Markdown, with a table of what was found, at most so many
/// bytes.
[[nodiscard]] std::string check_markdown(const CheckReport& report,
                                         std::size_t most_bytes = 1'000'000);

}  // namespace vgsim::cli
