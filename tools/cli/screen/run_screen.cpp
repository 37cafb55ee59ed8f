#include "tools/cli/screen/run_screen.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/cli/screen/findings_count.hpp"
#include "tools/cli/screen/layout_rows.hpp"
#include "tools/cli/screen/side_by_side.hpp"
#include "tools/report/change_text.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/jobs.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/measured_like.hpp"
#include "tools/text/operations.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::RankedGroup;
using scenario::ScenarioResult;

/// Most lines of each part.
struct LineBudget {
  std::size_t verdict = 5;
  std::size_t refusals = 3;
  std::size_t unpriced = 3;
  std::size_t operations = 4;
  std::size_t jobs = 4;
  std::size_t one = 2;          ///< of a bottleneck, and of a best change
  std::size_t assumptions = 3;  ///< number of named ones
  std::size_t measure = 3;      ///< enough for a whole command
  std::size_t footer = 2;
};
/// For many layouts, with one line each.
constexpr LineBudget kTightBudget{2, 1, 1, 1, 2, 1, 1, 1, 1};
constexpr std::size_t kRefusalLinesAlone = 12;  ///< if nothing was simulated
constexpr std::size_t kFewestTableLines = 4;
constexpr std::size_t kFewLayouts = 6;
constexpr double kLossWorthNaming = 0.1;

/// The bottleneck, and each mechanism that costs a notable share of an iteration.
std::string with_loss(std::string text, const LayoutResult& layout) {
  if (!layout.training || layout.training->iteration == SimTime{0}) return text;
  const double waits = share_of(layout.training->data_wait, *layout.training);
  if (waits >= kLossWorthNaming && text.find("wait for data") == std::string::npos) {
    text += fmt::format("; they wait for data for {}", text::whole_percent(waits));
  }
  for (const auto& loss : layout.training->losses) {
    const double share = to_seconds(loss.time) / to_seconds(layout.training->iteration);
    if (share < kLossWorthNaming) continue;
    text += fmt::format("; {} of it is {}", text::whole_percent(share), loss.mechanism);
  }
  return text;
}

/// The bottleneck of the fastest layout, and of the slowest one if it differs.
void add_limits(const RunAnswer& answer, const std::vector<RankedGroup>& groups,
                std::size_t most_lines, text::ScreenLines& lines) {
  const auto names = text::sentence_names(answer.result);
  std::set<std::string> limits;
  for (const LayoutResult& layout : answer.result.layouts) {
    if (!layout.refused) limits.insert(limit_of(layout).what);
  }
  const LayoutResult& fastest = answer.result.layouts[groups.front().fastest()];
  const std::string text = with_loss(text::bottleneck_text(fastest), fastest);
  const bool names_it = limits.size() > 1 || groups.size() > 1;
  lines.labelled("bottleneck",
                 names_it ? fmt::format("{}: {}", names[groups.front().fastest()], text) : text,
                 most_lines);
  if (groups.size() == 1 || limits.size() == 1) return;
  const std::size_t last = groups.back().layouts.back().layout;
  const LayoutResult& slowest = answer.result.layouts[last];
  if (limit_of(slowest).what == limit_of(fastest).what) return;
  lines.labelled(
      "", fmt::format("{}: {}", names[last], with_loss(text::bottleneck_text(slowest), slowest)),
      1);
}

void add_best_change(const RunAnswer& answer, const std::vector<RankedGroup>& groups,
                     std::size_t most_lines, text::ScreenLines& lines) {
  constexpr const char* kLabel = "best change";
  if (!answer.best || !answer.best->tried) {
    lines.labelled(kLabel, "run " + answer.explain, most_lines);
    return;
  }
  const LayoutResult& layout = answer.result.layouts[groups.front().fastest()];
  if (answer.best->helping.empty()) {
    lines.labelled(kLabel, report::no_help_words(*answer.best->tried), most_lines);
    return;
  }
  const auto& tried = answer.best->helping.front();
  std::vector<std::string> texts{report::change_sentence(tried, layout)};
  if (!tried.change.needs.empty()) {
    texts.insert(texts.begin(),
                 fmt::format("{}; needs {}", texts.front(), fmt::join(tried.change.needs, ", ")));
  }
  lines.labelled_to_fit(kLabel, texts, most_lines, text::Tone::kGood);
}

/// How the time of the fastest layout changes if an assumption does not hold. Returns the titles
/// shown.
std::vector<std::string> add_assumptions(const RunAnswer& answer, std::size_t most,
                                         std::size_t most_lines, text::ScreenLines& lines) {
  constexpr const char* kLabel = "assumed";
  constexpr std::size_t kShortestTitle = 20;
  constexpr std::size_t kUnpricedLines = 3;  // enough for a whole command
  std::vector<std::string> said;
  if (!answer.best) return said;
  for (const scenario::TriedChange& tried : answer.best->assumptions) {
    if (said.size() == most) break;
    const std::string price = report::price_words(tried);
    said.push_back(tried.change.title);
    // The title is cut instead of the price.
    std::string title = tried.change.title;
    const auto text = [&] { return fmt::format("{}: {}", title, price); };
    for (std::size_t columns = tried.change.title.size();
         columns > kShortestTitle && !lines.fits(kLabel, text(), most_lines); --columns) {
      title = text::shortened(tried.change.title, columns - 1);
    }
    lines.labelled(kLabel, text(), most_lines);
  }
  if (!answer.best->unpriced.empty()) {
    lines.labelled(kLabel, report::unpriced_words(answer.best->unpriced, answer.explain),
                   kUnpricedLines);
  }
  return said;
}

/// VMs apart from their GPUs, of the layouts in which some are.
void add_numa(const RunAnswer& answer, text::ScreenLines& lines) {
  constexpr std::size_t kMostLines = 2;
  const auto names = text::sentence_names(answer.result);
  std::size_t shown = 0;
  for (std::size_t l = 0; l < answer.result.layouts.size() && shown < kMostLines; ++l) {
    const LayoutResult& layout = answer.result.layouts[l];
    const bool apart =
        std::any_of(layout.warnings.begin(), layout.warnings.end(),
                    [](const auto& each) { return each.rule == "vm-on-other-numa-node"; });
    if (layout.refused || !apart || layout.numa.empty()) continue;
    const std::string where = answer.result.layouts.size() > 1 ? names[l] + ": " : std::string();
    lines.labelled(shown++ == 0 ? "NUMA" : "", where + layout.numa.front(), 1);
  }
}

text::ScreenLines verdict_lines(const RunAnswer& answer, const std::vector<RankedGroup>& groups,
                                const text::TerminalSize& room, const LineBudget& budget) {
  text::ScreenLines lines(room);
  text::add_open_points(answer.result, true, lines);
  const auto sentences = text::verdict_sentences(answer.result, groups);
  std::size_t left = budget.verdict;
  for (std::size_t s = 0; s < sentences.size() && left > 0; ++s) {
    const std::size_t after = sentences.size() - s - 1;
    left -= lines.verdict(sentences[s], left - std::min(left - 1, after));
  }
  text::add_sentences("refused", text::refusal_sentences(answer.result),
                      groups.empty() ? kRefusalLinesAlone : budget.refusals, text::Tone::kBad,
                      lines);
  text::add_operations(answer.result, budget.operations, lines);
  text::add_sentences("not priced", text::unpriced_sentences(answer.result), budget.unpriced,
                      text::Tone::kBad, lines);
  if (answer.result.draws.cut_off > 0) {
    lines.labelled("cut short",
                   fmt::format("a limit cut off {} of {} draws: the intervals are of the others",
                               answer.result.draws.cut_off, answer.result.draws.asked),
                   budget.one, text::Tone::kBad);
  }
  const auto said = add_assumptions(answer, budget.assumptions, budget.one, lines);
  text::add_open_points(answer.result, false, lines, said);
  if (groups.empty()) return lines;
  text::add_unlike_measured(answer.result.layouts[groups.front().fastest()], budget.one, lines);
  add_numa(answer, lines);
  text::add_jobs(answer.result.layouts[groups.front().fastest()], budget.jobs, lines);
  add_limits(answer, groups, budget.one, lines);
  add_best_change(answer, groups, budget.one, lines);
  // Rows of layouts take precedence.
  const bool few_layouts = answer.result.layouts.size() <= kFewLayouts;
  if (!few_layouts || !answer.best || !answer.best->tornado) return lines;
  // Below a table of sizes there is less room.
  const std::size_t most = answer.result.layouts.front().collective
                               ? std::min<std::size_t>(budget.measure, 2)
                               : budget.measure;
  const auto& measure = answer.best->tornado->measure;
  if (answer.undecided) {
    const auto texts = report::deciding_words(*answer.undecided, answer.result);
    constexpr const char* kLabel = "to decide";
    if (lines.fits(kLabel, texts.back(), most)) lines.labelled_to_fit(kLabel, texts, most);
  } else if (!measure.empty()) {
    const auto& [measurement, parameters, narrows] = measure.front();
    lines.labelled_to_fit("measure next",
                          {report::worth_measuring_words(measure.front()),
                           fmt::format("{}; {}", measurement.what, measurement.command)},
                          most);
  }
  return lines;
}

/// The command is never cut: the name of the scenario is left out first, then the counts.
void add_footer(const ScenarioResult& result, const text::TerminalSize& terminal,
                std::size_t most_lines, text::ScreenLines& lines) {
  const std::string command = "all of it: --full";
  const std::string counts = findings_count(result) + "; " + command;
  const std::string whole =
      fmt::format("{}, {}: {}", text::shortened(result.name, terminal.columns - 20),
                  size_of_job(result), counts);
  for (const std::string& text : {whole, counts, command}) {
    if (text::paragraph("", text, terminal.columns, most_lines + 1).size() > most_lines) continue;
    lines.text(text, most_lines);
    return;
  }
}

/// Fastest first, then layouts that were not simulated.
std::vector<std::size_t> by_speed(const ScenarioResult& result,
                                  const std::vector<RankedGroup>& groups) {
  std::vector<std::size_t> order;
  for (const RankedGroup& group : groups) {
    for (const auto& each : group.layouts) order.push_back(each.layout);
  }
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    if (std::find(order.begin(), order.end(), l) == order.end()) order.push_back(l);
  }
  return order;
}

/// For a single layout there is space for several figures of each size.
std::vector<std::string> sizes_of_one(const scenario::CollectiveResult& collective,
                                      const text::TerminalSize& terminal) {
  text::Table table;
  table.add_row(
      {collective.collective, "time", "90 % interval", "bus bandwidth", "algorithm", "bottleneck"});
  for (const auto& point : collective.points) {
    const double seconds = to_seconds(point.time);
    const scenario::Interval interval{to_seconds(point.low), to_seconds(point.high), 0};
    const text::Known known = text::point_known(point);
    table.add_row({text::size_words(point.size), text::time_figure(seconds, known),
                   text::time_range(interval, seconds),
                   text::figure(point.busbw_GBps, scenario::MetricUnit::kGBps, known),
                   point.choice ? point.choice->algorithm + " " + point.choice->protocol : "-",
                   point.bottleneck.empty() ? "latency" : point.bottleneck});
  }
  auto lines = text::lines_of(table);
  for (std::string& line : lines) line = text::shortened(line, terminal.columns);
  return lines;
}

struct ScreenTable {
  std::vector<std::string> lines;
  bool of_sizes = false;      ///< requested by the scenario: all of them are shown
  bool cuts_layouts = false;  ///< some have no line
};

ScreenTable of_layouts(std::vector<std::string> lines) {
  const bool cuts = !lines.empty() && lines.back().ends_with(" more");
  return {std::move(lines), false, cuts};
}

ScreenTable table_of(const ScenarioResult& result, const std::vector<RankedGroup>& groups,
                     const text::TerminalSize& terminal, std::size_t most) {
  SideBySide table{{}, {}, by_speed(result, groups), terminal.columns, most};
  for (const LayoutResult& layout : result.layouts) table.names.push_back(layout.name);
  const bool trains = std::any_of(result.layouts.begin(), result.layouts.end(),
                                  [](const LayoutResult& l) { return l.training.has_value(); });
  if (trains) {
    table.rows = text::figure_rows(result, groups, text::RowsFor::kScreen);
    return of_layouts(side_by_side(table));
  }
  if (result.layouts.size() == 1) {
    return {sizes_of_one(*result.layouts.front().collective, terminal), true, false};
  }
  table.rows = size_rows(result);
  table.lines = 0;
  auto sizes = in_columns(table);
  if (!sizes.empty()) return {std::move(sizes), true, false};
  table.rows = collective_rows(result, groups);
  table.lines = most;
  return of_layouts(one_below_the_other(table));
}

/// The parts of a screen of results.
struct Screen {
  text::ScreenLines verdict;
  text::ScreenLines footer;
  ScreenTable table;

  [[nodiscard]] std::size_t size() const {
    constexpr std::size_t kBlanks = 2;
    return verdict.size() + table.lines.size() + footer.size() + kBlanks;
  }
};

Screen screen_of(const RunAnswer& answer, const std::vector<RankedGroup>& groups,
                 const text::TerminalSize& terminal, const LineBudget& budget) {
  Screen screen{verdict_lines(answer, groups, terminal, budget), text::ScreenLines(terminal), {}};
  add_footer(answer.result, terminal, budget.footer, screen.footer);
  if (groups.empty()) return screen;
  const std::size_t left = terminal.lines - std::min(terminal.lines, screen.size());
  screen.table = table_of(answer.result, groups, terminal, std::max(kFewestTableLines, left));
  return screen;
}

/// With the first budget for which each layout has its line; else with the tight one.
Screen fitting_screen(const RunAnswer& answer, const std::vector<RankedGroup>& groups,
                      const text::TerminalSize& terminal) {
  LineBudget short_operations;
  short_operations.operations = 1;
  LineBudget no_operations = kTightBudget;
  no_operations.operations = 0;
  for (const LineBudget& budget : {LineBudget{}, short_operations, kTightBudget, no_operations}) {
    Screen screen = screen_of(answer, groups, terminal, budget);
    const bool fits = !screen.table.cuts_layouts && screen.size() <= terminal.lines;
    const bool is_last_of_sizes = screen.table.of_sizes && budget.operations == 1;
    if (groups.empty() || fits || is_last_of_sizes) return screen;
  }
  return screen_of(answer, groups, terminal, kTightBudget);
}

}  // namespace

std::string run_screen(const RunAnswer& answer, const text::TerminalSize& terminal) {
  const auto groups = scenario::ranked_groups(answer.result);
  const Screen screen = fitting_screen(answer, groups, terminal);
  if (groups.empty()) return screen.verdict.joined() + "\n" + screen.footer.joined();
  const std::string table = text::joined_lines(screen.table.lines);
  if (screen.table.of_sizes && screen.size() > terminal.lines) {
    return table + "\n" + screen.verdict.joined() + "\n" + screen.footer.joined();
  }
  return screen.verdict.joined() + "\n" + table + "\n" + screen.footer.joined();
}

std::string run_in_full(const RunAnswer& answer, const text::TerminalSize& terminal) {
  const auto groups = scenario::ranked_groups(answer.result);
  LineBudget all;
  all.assumptions = std::string::npos;
  all.operations *= std::max<std::size_t>(2, answer.result.layouts.size());
  report::Report report;
  report.result = answer.result;
  report.all_figures = true;
  return verdict_lines(answer, groups, terminal, all).joined() + "\n" +
         report::details_text(report::page_of(report),
                              std::max(terminal.columns, text::kFewestFullColumns));
}

}  // namespace vgsim::cli
