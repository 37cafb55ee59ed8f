#include "tools/cli/screen/validation_screen.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tools/cli/screen/findings_count.hpp"
#include "tools/cli/screen/side_by_side.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/operations.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;

constexpr std::size_t kLinesOfRefusals = 8;
constexpr std::size_t kLinesOfOperations = 8;
constexpr std::size_t kFewestValidityLines = 4;

text::ScreenLines validity_lines(const ScenarioResult& result, const text::TerminalSize& terminal,
                                 std::size_t operation_lines) {
  text::ScreenLines lines(terminal);
  text::add_open_points(result, true, lines);
  const auto refused = static_cast<std::size_t>(std::count_if(
      result.layouts.begin(), result.layouts.end(), [](const auto& each) { return each.refused; }));
  const std::size_t all = result.layouts.size();
  lines.verdict(
      refused == 0 ? fmt::format("valid: {} supported", text::plural(all, "layout"))
      : refused == all
          ? fmt::format("refused: {}", all == 1 ? "it cannot power on" : "no layout can power on")
          : fmt::format("{} of {} are refused", refused, text::plural(all, "layout")),
      1);
  text::add_sentences("refused", text::refusal_sentences(result), kLinesOfRefusals,
                      text::Tone::kBad, lines);
  text::add_operations(result, operation_lines, lines);
  text::add_open_points(result, false, lines);
  return lines;
}

/// "vMotion, DRS": operations that its VMs do not support.
std::string unavailable(const LayoutResult& layout) {
  const auto titles = text::unavailable_operations(layout);
  return titles.empty() ? "-" : fmt::format("{}", fmt::join(titles, ", "));
}

std::vector<text::LayoutRow> validity_rows(const ScenarioResult& result) {
  std::vector<text::LayoutRow> rows{{"", "", 0, {}},
                                    {"GPUs", "GPUs", 1, {}},
                                    {"machines", "machines", 2, {}},
                                    {"GPU mode", "GPU mode", 1, {}},
                                    {"vSphere", "vSphere", 3, {}},
                                    {"unavailable", "unavailable", 1, {}}};
  for (const LayoutResult& layout : result.layouts) {
    rows[0].cells.push_back(layout.refused           ? "refused"
                            : layout.is_bare_metal() ? "can run"
                                                     : "supported");
    rows[1].cells.push_back(layout.refused ? "-" : std::to_string(layout.ranks));
    rows[2].cells.push_back(std::to_string(layout.machines));
    rows[3].cells.push_back(layout.mode);
    rows[4].cells.push_back(layout.is_bare_metal() ? "-" : layout.vsphere);
    rows[5].cells.push_back(layout.refused ? "-" : unavailable(layout));
  }
  return rows;
}

}  // namespace

std::string validation_screen(const ScenarioResult& result, const text::TerminalSize& terminal) {
  constexpr std::size_t kBlanks = 2;
  text::ScreenLines footer(terminal);
  footer.text(
      fmt::format("{}: {}; effects and remedies: --full",
                  text::shortened(result.name, terminal.columns - 20), findings_count(result)),
      2);
  text::ScreenLines verdict = validity_lines(result, terminal, kLinesOfOperations);
  if (verdict.size() + footer.size() + kBlanks + kFewestValidityLines > terminal.lines) {
    verdict = validity_lines(result, terminal, 2);
  }
  const std::size_t others = verdict.size() + footer.size() + kBlanks;
  SideBySide table{
      {},
      validity_rows(result),
      {},
      terminal.columns,
      std::max(kFewestValidityLines, terminal.lines - std::min(terminal.lines, others))};
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    table.names.push_back(result.layouts[l].name);
    table.order.push_back(l);
  }
  return verdict.joined() + "\n" + text::joined_lines(one_below_the_other(table)) + "\n" +
         footer.joined();
}

std::string validation_in_full(const ScenarioResult& result, const text::TerminalSize& terminal) {
  report::Report report;
  report.result = result;
  const report::Page page = report::validation_page(report);
  return validity_lines(result, terminal, result.layouts.size() * kLinesOfOperations).joined() +
         "\n" + report::details_text(page, std::max(terminal.columns, text::kFewestFullColumns));
}

}  // namespace vgsim::cli
