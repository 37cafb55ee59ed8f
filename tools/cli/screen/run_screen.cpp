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
#include "tools/text/limits_text.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;
using scenario::StandingGroup;

/// Lines that each part may take.
struct LineBudget {
  std::size_t verdict = 5;
  std::size_t refusals = 3;
  std::size_t unpriced = 3;
  std::size_t one = 2;          ///< of what holds back, and of what helps
  std::size_t assumptions = 3;  ///< how many are named
  std::size_t measure = 3;      ///< so many show the commands whole
  std::size_t footer = 2;
};
/// Where there are so many layouts that each of them needs its line.
constexpr LineBudget kTightBudget{2, 1, 1, 1, 1, 1, 1};
constexpr std::size_t kRefusalLinesAlone = 12;  ///< where there is nothing else
constexpr std::size_t kFewestTableLines = 4;
constexpr std::size_t kFewLayouts = 6;
constexpr double kLossWorthNaming = 0.1;

/// Where most of what the GPUs compute is lost to one thing, that is what holds them back.
std::string with_loss(std::string text, const LayoutResult& layout) {
  if (!layout.training || layout.training->iteration == SimTime{0}) return text;
  for (const auto& loss : layout.training->losses) {
    const double share = to_seconds(loss.time) / to_seconds(layout.training->iteration);
    if (share < kLossWorthNaming) continue;
    text += fmt::format("; {} of it is {}", text::whole_percent(share), loss.mechanism);
  }
  return text;
}

/// Of the fastest layout, and of the slowest where it is something else.
void add_limits(const RunAnswer& answer, const std::vector<StandingGroup>& groups,
                std::size_t most_lines, text::ScreenLines& lines) {
  const auto names = text::sentence_names(answer.result);
  std::set<std::string> limits;
  for (const LayoutResult& layout : answer.result.layouts) {
    if (!layout.refused) limits.insert(limit_of(layout).what);
  }
  const LayoutResult& fastest = answer.result.layouts[groups.front().fastest()];
  const std::string text = with_loss(text::held_back_text(fastest), fastest);
  const bool names_it = limits.size() > 1 || groups.size() > 1;
  lines.labelled("held back by",
                 names_it ? fmt::format("{}: {}", names[groups.front().fastest()], text) : text,
                 most_lines);
  if (groups.size() == 1 || limits.size() == 1) return;
  const std::size_t last = groups.back().standings.back().layout;
  const LayoutResult& slowest = answer.result.layouts[last];
  if (limit_of(slowest).what == limit_of(fastest).what) return;
  lines.labelled(
      "", fmt::format("{}: {}", names[last], with_loss(text::held_back_text(slowest), slowest)), 1);
}

void add_best_change(const RunAnswer& answer, const std::vector<StandingGroup>& groups,
                     std::size_t most_lines, text::ScreenLines& lines) {
  constexpr const char* kLabel = "best change";
  if (!answer.best || !answer.best->tried) {
    lines.labelled(kLabel, answer.explain + " finds it", most_lines);
    return;
  }
  const LayoutResult& layout = answer.result.layouts[groups.front().fastest()];
  if (answer.best->helping.empty()) {
    lines.labelled(kLabel, report::no_help_words(*answer.best->tried), most_lines);
    return;
  }
  const auto& tried = answer.best->helping.front();
  const std::string text = report::change_sentence(tried, layout);
  const std::string with_needs =
      tried.change.needs.empty()
          ? text
          : fmt::format("{}; needs {}", text, fmt::join(tried.change.needs, ", "));
  lines.labelled(kLabel, lines.fits(kLabel, with_needs, most_lines) ? with_needs : text, most_lines,
                 text::Tone::kGood);
}

/// What the fastest layout would take if what was assumed is otherwise; what was said.
std::vector<std::string> add_assumptions(const RunAnswer& answer, std::size_t most,
                                         std::size_t most_lines, text::ScreenLines& lines) {
  constexpr const char* kLabel = "assumed";
  constexpr std::size_t kShortestTitle = 20;
  constexpr std::size_t kUnpricedLines = 3;  // the command is whole where it fits at all
  std::vector<std::string> said;
  if (!answer.best) return said;
  for (const scenario::TriedChange& tried : answer.best->assumptions) {
    if (said.size() == most) break;
    const std::string price = report::price_words(tried);
    said.push_back(tried.change.title);
    // What it costs is never cut off: the words before it are.
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

text::ScreenLines verdict_lines(const RunAnswer& answer, const std::vector<StandingGroup>& groups,
                                const text::Room& room, const LineBudget& budget) {
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
  text::add_sentences("not priced", text::unpriced_sentences(answer.result), budget.unpriced,
                      text::Tone::kBad, lines);
  if (answer.result.draws.cut_off > 0) {
    lines.labelled("cut short",
                   fmt::format("a limit cut off {} of {} draws: intervals rest on the others",
                               answer.result.draws.cut_off, answer.result.draws.asked),
                   budget.one, text::Tone::kBad);
  }
  const auto said = add_assumptions(answer, budget.assumptions, budget.one, lines);
  text::add_open_points(answer.result, false, lines, said);
  if (groups.empty()) return lines;
  add_limits(answer, groups, budget.one, lines);
  add_best_change(answer, groups, budget.one, lines);
  // Rows of layouts come first.
  const bool has_room = answer.result.layouts.size() <= kFewLayouts;
  if (has_room && answer.best && !answer.best->measure.empty()) {
    lines.labelled("to measure", report::worth_measuring_words(answer.best->measure.front()),
                   budget.measure);
  }
  return lines;
}

/// The command is never cut off: the name of the scenario goes first.
void add_footer(const ScenarioResult& result, const text::Room& room, std::size_t most_lines,
                text::ScreenLines& lines) {
  const std::string counts = findings_count(result) + "; all of it: --full";
  const std::string whole = fmt::format(
      "{}, {}: {}", text::shortened(result.name, room.columns - 20), size_of_job(result), counts);
  const bool fits = text::paragraph("", whole, room.columns, most_lines + 1).size() <= most_lines;
  lines.text(fits ? whole : counts, most_lines);
}

/// Fastest first, then what was not simulated.
std::vector<std::size_t> by_speed(const ScenarioResult& result,
                                  const std::vector<StandingGroup>& groups) {
  std::vector<std::size_t> order;
  for (const StandingGroup& group : groups) {
    for (const auto& each : group.standings) order.push_back(each.layout);
  }
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    if (std::find(order.begin(), order.end(), l) == order.end()) order.push_back(l);
  }
  return order;
}

/// Of a single layout there is room for more than one figure of each size.
std::vector<std::string> sizes_of_one(const scenario::CollectiveResult& collective,
                                      const text::Room& room) {
  text::Table table;
  table.add_row(
      {collective.collective, "time", "nine in ten", "bus bandwidth", "algorithm", "held back by"});
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
  for (std::string& line : lines) line = text::shortened(line, room.columns);
  return lines;
}

struct ScreenTable {
  std::vector<std::string> lines;
  bool of_sizes = false;      ///< that the scenario asks for: all of them are shown
  bool cuts_layouts = false;  ///< some have no line
};

ScreenTable of_layouts(std::vector<std::string> lines) {
  const bool cuts = !lines.empty() && lines.back().ends_with(" more");
  return {std::move(lines), false, cuts};
}

ScreenTable table_of(const ScenarioResult& result, const std::vector<StandingGroup>& groups,
                     const text::Room& room, std::size_t most) {
  SideBySide table{{}, {}, by_speed(result, groups), room.columns, most};
  for (const LayoutResult& layout : result.layouts) table.names.push_back(layout.name);
  const bool trains = std::any_of(result.layouts.begin(), result.layouts.end(),
                                  [](const LayoutResult& l) { return l.training.has_value(); });
  if (trains) {
    table.rows = text::figure_rows(result, groups, text::RowsFor::kScreen);
    return of_layouts(side_by_side(table));
  }
  if (result.layouts.size() == 1) {
    return {sizes_of_one(*result.layouts.front().collective, room), true, false};
  }
  table.rows = size_rows(result);
  table.lines = 0;
  auto sizes = in_columns(table);
  if (!sizes.empty()) return {std::move(sizes), true, false};
  table.rows = collective_rows(result, groups);
  table.lines = most;
  return of_layouts(one_below_the_other(table));
}

}  // namespace

std::string run_screen(const RunAnswer& answer, const text::Room& room) {
  const auto groups = scenario::standings_of(answer.result);
  const auto filled = [&](const LineBudget& budget) {
    std::pair parts{verdict_lines(answer, groups, room, budget), text::ScreenLines(room)};
    add_footer(answer.result, room, budget.footer, parts.second);
    return parts;
  };
  auto [verdict, footer] = filled({});
  if (groups.empty()) return verdict.joined() + "\n" + footer.joined();
  constexpr std::size_t kBlanks = 2;
  const auto left = [&, &verdict = verdict, &footer = footer] {
    return room.lines - std::min(room.lines, verdict.size() + footer.size() + kBlanks);
  };
  ScreenTable table = table_of(answer.result, groups, room, std::max(kFewestTableLines, left()));
  if (table.cuts_layouts) {
    std::tie(verdict, footer) = filled(kTightBudget);
    table = table_of(answer.result, groups, room, std::max(kFewestTableLines, left()));
  }
  const std::string text = text::joined_lines(table.lines);
  if (table.of_sizes && table.lines.size() > left()) {
    return text + "\n" + verdict.joined() + "\n" + footer.joined();
  }
  return verdict.joined() + "\n" + text + "\n" + footer.joined();
}

std::string run_in_full(const RunAnswer& answer, const text::Room& room) {
  const auto groups = scenario::standings_of(answer.result);
  LineBudget all;
  all.assumptions = std::string::npos;
  report::Report report;
  report.result = answer.result;
  report.all_figures = true;
  return verdict_lines(answer, groups, room, all).joined() + "\n" +
         report::details_text(report::page_of(report),
                              std::max(room.columns, text::kFewestFullColumns));
}

}  // namespace vgsim::cli
