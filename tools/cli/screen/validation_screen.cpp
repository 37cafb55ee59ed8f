#include "tools/cli/screen/validation_screen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "tools/cli/screen/findings_count.hpp"
#include "tools/cli/screen/side_by_side.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;

constexpr std::size_t kLinesOfRefusals = 8;
constexpr std::size_t kFewestValidityLines = 4;

text::ScreenLines validity_lines(const ScenarioResult& result, const text::Room& room) {
  text::ScreenLines lines(room);
  text::add_open_points(result, true, lines);
  const auto refused = static_cast<std::size_t>(std::count_if(
      result.layouts.begin(), result.layouts.end(), [](const auto& each) { return each.refused; }));
  const std::size_t all = result.layouts.size();
  lines.verdict(refused == 0 ? fmt::format("valid: {} may run", text::plural(all, "layout"))
                : refused == all
                    ? fmt::format("refused: {}", all == 1 ? "it may not run" : "no layout may run")
                    : fmt::format("{} of {} are refused", refused, text::plural(all, "layout")),
                1);
  text::add_sentences("refused", text::refusal_sentences(result), kLinesOfRefusals,
                      text::Tone::kBad, lines);
  text::add_open_points(result, false, lines);
  return lines;
}

/// "vMotion, DRS": what its VMs cannot do.
std::string lost_operations(const LayoutResult& layout) {
  std::vector<std::string> lost;
  for (const auto& warning : layout.warnings) {
    if (warning.rule.starts_with("loses-")) lost.push_back(warning.rule.substr(6));
  }
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  return lost.empty() ? "-" : text::names_listed(lost, lost.size());
}

std::vector<text::LayoutRow> validity_rows(const ScenarioResult& result) {
  std::vector<text::LayoutRow> rows{{"", "", 0, {}},
                                    {"GPUs", "GPUs", 1, {}},
                                    {"machines", "machines", 2, {}},
                                    {"GPU mode", "GPU mode", 1, {}},
                                    {"vSphere", "vSphere", 3, {}},
                                    {"loses", "loses", 1, {}}};
  for (const LayoutResult& layout : result.layouts) {
    rows[0].cells.push_back(layout.refused ? "refused" : "may run");
    rows[1].cells.push_back(layout.refused ? "-" : std::to_string(layout.ranks));
    rows[2].cells.push_back(std::to_string(layout.machines));
    rows[3].cells.push_back(layout.mode);
    rows[4].cells.push_back(layout.is_bare_metal() ? "-" : layout.vsphere);
    rows[5].cells.push_back(lost_operations(layout));
  }
  return rows;
}

}  // namespace

std::string validation_screen(const ScenarioResult& result, const text::Room& room) {
  const text::ScreenLines verdict = validity_lines(result, room);
  text::ScreenLines footer(room);
  footer.text(fmt::format("{}: {}; what they cost and what to do: --full",
                          text::shortened(result.name, room.columns - 20), findings_count(result)),
              2);
  SideBySide table{{},
                   validity_rows(result),
                   {},
                   room.columns,
                   std::max(kFewestValidityLines,
                            room.lines - std::min(room.lines, verdict.size() + footer.size() + 2))};
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    table.names.push_back(result.layouts[l].name);
    table.order.push_back(l);
  }
  return verdict.joined() + "\n" + text::joined_lines(one_below_the_other(table)) + "\n" +
         footer.joined();
}

std::string validation_in_full(const ScenarioResult& result, const text::Room& room) {
  report::Report report;
  report.result = result;
  const report::Page page = report::validation_page(report);
  return validity_lines(result, room).joined() + "\n" +
         report::details_text(page, std::max(room.columns, text::kFewestFullColumns));
}

}  // namespace vgsim::cli
