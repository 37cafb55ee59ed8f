#include "tools/cli/screen/explanation_screen.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/change_text.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::cli {
namespace {

using scenario::helping_changes;
using scenario::LayoutResult;
using scenario::TriedChange;
using scenario::TriedOutcome;

constexpr std::size_t kMostTrainingChanges = 2;
constexpr std::size_t kMostAssumed = 3;
constexpr std::size_t kMostCausesShown = 3;
constexpr std::size_t kOneLine = 1;
constexpr std::size_t kTwoLines = 2;
constexpr std::size_t kLinesToDecide = 3;  // names of two layouts and a whole command

/// Relative uncertainty of an iteration, or of the largest collective.
text::Known known_time(const LayoutResult& result) {
  if (result.training) return text::iteration_known(*result.training);
  return result.collective ? text::point_known(scenario::largest_point(*result.collective))
                           : std::nullopt;
}

std::string best_change_words(const ExplainedLayout& layout) {
  const auto helping = helping_changes(layout.tried, false);
  if (!helping.empty()) return report::change_sentence(*helping.front(), layout.result);
  return report::no_help_words(static_cast<std::size_t>(
      std::count_if(layout.tried.begin(), layout.tried.end(),
                    [](const TriedChange& each) { return !each.change.changes_training; })));
}

scenario::ScenarioResult results_of(const Explanation& explanation) {
  scenario::ScenarioResult results{explanation.scenario, {}, {}};
  for (const ExplainedLayout& each : explanation.layouts) results.layouts.push_back(each.result);
  return results;
}

/// The fastest that runs; null if all are refused.
const ExplainedLayout* fastest_of(const Explanation& explanation) {
  const auto groups = scenario::ranked_groups(results_of(explanation));
  return groups.empty() ? nullptr : &explanation.layouts[groups.front().fastest()];
}

/// The first of which measurements decide whether it is slower; null if there is none.
const ExplainedLayout* undecided_in(const Explanation& explanation) {
  const auto found = std::find_if(explanation.layouts.begin(), explanation.layouts.end(),
                                  [](const ExplainedLayout& each) { return each.undecided; });
  return found == explanation.layouts.end() ? nullptr : &*found;
}

/// "copies between memory and GPU over the link between sockets 20 %".
void add_numa_costs(const ExplainedLayout& layout, text::ScreenLines& lines) {
  constexpr double kLeast = 0.01;
  std::string text;
  for (const scenario::NumaCost& cost : layout.numa) {
    if (cost.share < kLeast) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", cost.cause,
                        text::whole_percent(cost.share));
  }
  if (!text.empty()) lines.labelled("NUMA costs", text, 3);
}

text::ScreenLines explanation_verdict(const Explanation& explanation,
                                      const text::TerminalSize& terminal) {
  text::ScreenLines lines(terminal);
  const ExplainedLayout* fastest = fastest_of(explanation);
  const std::size_t left = fastest == nullptr ? 12 : 3;
  const auto results = results_of(explanation);
  for (const std::string& sentence :
       text::verdict_sentences(results, scenario::ranked_groups(results))) {
    lines.verdict(sentence, 3);
  }
  text::add_sentences("refused", text::refusal_sentences(results), left, text::Tone::kBad, lines);
  if (fastest != nullptr) {
    const auto& assumed = fastest->assumptions;
    for (std::size_t a = 0; a < std::min(assumed.size(), kMostAssumed); ++a) {
      lines.labelled("assumed", report::assumption_sentence(assumed[a]), kTwoLines);
    }
    lines.labelled("bottleneck", text::bottleneck_text(fastest->result), kTwoLines);
    add_numa_costs(*fastest, lines);
    lines.labelled("best change", best_change_words(*fastest), kTwoLines, text::Tone::kGood);
    if (const ExplainedLayout* open = undecided_in(explanation)) {
      lines.labelled_to_fit("to decide", report::deciding_words(*open->undecided, results),
                            kLinesToDecide);
    } else if (fastest->tornado && !fastest->tornado->measure.empty()) {
      lines.labelled("measure next",
                     report::worth_measuring_words(fastest->tornado->measure.front()), kTwoLines);
    }
  }
  return lines;
}

/// The steps with the largest shares of the critical path.
void add_causes(const LayoutResult& result, text::ScreenLines& lines) {
  if (!result.record) return;
  const auto causes = causes_of(result.record->critical_path);
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostCausesShown); ++i) {
    text += fmt::format(
        "{}{} {}", text.empty() ? "" : "; ", causes[i].what,
        text::whole_percent(to_seconds(causes[i].time) / to_seconds(result.record->length)));
  }
  if (!text.empty()) lines.labelled("spends on", text, kTwoLines);
}

std::string footer_words(const ExplainedLayout& layout) {
  std::size_t refused = 0;
  for (const TriedChange& each : layout.tried) {
    if (each.outcome == TriedOutcome::kRefused) ++refused;
  }
  return fmt::format(
      "{} tried, {} refused; less: time of a sample; requirements, "
      "prices and the critical path: --full",
      text::plural(layout.tried.size(), "change"), refused);
}

/// Changes of one layout, best first.
std::vector<std::string> changes_table(const ExplainedLayout& layout,
                                       const text::TerminalSize& terminal, std::size_t most) {
  const bool drawn = std::ranges::any_of(
      layout.tried, [](const TriedChange& each) { return each.gap.has_value(); });
  // Gain, its interval, time and next bottleneck.
  const std::size_t beside = drawn ? 53 : 38;
  const std::size_t width = terminal.columns - std::min(terminal.columns - 10, beside);
  text::Table table({drawn ? std::size_t{2} : std::size_t{1}});
  const auto add_row = [&](std::vector<std::string> cells, std::string interval) {
    if (drawn) cells.insert(cells.begin() + 1, std::move(interval));
    table.add_row(std::move(cells));
  };
  add_row({"less", "improvements, one at a time", "then", "bottleneck"}, "90 % interval");
  const auto add = [&](const TriedChange& tried) {
    add_row({text::whole_percent(tried.gain()), text::shortened(tried.change.title, width),
             text::time_figure(tried.result.training ? to_seconds(tried.result.training->iteration)
                                                     : tried.after_s,
                               known_time(layout.result)),
             text::shortened(text::limit_words(limit_of(tried.result)), 14)},
            tried.gap ? text::saved_range(*tried.gap) : "");
  };
  const auto plain = helping_changes(layout.tried, false);
  const auto training = helping_changes(layout.tried, true);
  const std::size_t other = std::min(training.size(), kMostTrainingChanges);
  const std::size_t most_plain = most - std::min(most, 1 + (other > 0 ? other + 1 : 0));
  for (std::size_t i = 0; i < std::min(plain.size(), most_plain); ++i) add(*plain[i]);
  if (other > 0) add_row({"", "also changes the training"}, "");
  for (std::size_t i = 0; i < other; ++i) add(*training[i]);
  return text::lines_of(table);
}

/// The best change of each layout.
std::vector<std::string> layouts_table(const Explanation& explanation,
                                       const text::TerminalSize& terminal, std::size_t most) {
  constexpr std::size_t kBeside = 40;  ///< time, bottleneck, gain
  std::vector<std::string> names;
  std::size_t widest = 0;
  for (const ExplainedLayout& each : explanation.layouts) names.push_back(each.result.name);
  names = text::short_names(names, terminal.columns / 4);
  for (const std::string& name : names) widest = std::max(widest, input::display_width(name));
  const std::size_t width =
      terminal.columns - std::min(terminal.columns - 10, kBeside + widest + 2);
  text::Table table({4});
  table.add_row({"", "time", "bottleneck", "less", "best change"});
  const std::size_t all = explanation.layouts.size();
  const std::size_t shown = all + 1 > most ? most - 2 : all;
  for (std::size_t l = 0; l < shown; ++l) {
    const ExplainedLayout& layout = explanation.layouts[l];
    if (layout.result.refused) {
      table.add_row({names[l], "refused", "-", "-", "-"});
      continue;
    }
    const auto helping = helping_changes(layout.tried, false);
    const auto time = layout.result.training ? to_seconds(layout.result.training->iteration)
                                             : scenario::time_of(layout.result).value_or(0.0);
    table.add_row({names[l], text::time_figure(time, known_time(layout.result)),
                   text::shortened(text::limit_words(limit_of(layout.result)), 14),
                   helping.empty() ? "-" : text::whole_percent(helping.front()->gain()),
                   helping.empty() ? "no tried change"
                                   : text::shortened(helping.front()->change.title, width)});
  }
  auto lines = text::lines_of(table);
  if (shown < all) lines.push_back(fmt::format("{} more", all - shown));
  return lines;
}

}  // namespace

std::string explanation_screen(const Explanation& explanation, const text::TerminalSize& terminal) {
  text::ScreenLines verdict = explanation_verdict(explanation, terminal);
  const ExplainedLayout* fastest = fastest_of(explanation);
  text::ScreenLines footer(terminal);
  const bool single = explanation.layouts.size() == 1;
  const std::string name = text::shortened(explanation.scenario, terminal.columns / 2);
  footer.text(name + ": " +
                  (fastest != nullptr && single
                       ? footer_words(*fastest)
                       : std::string("one layout alone: --layout NAME; everything: --full")),
              kTwoLines);
  if (fastest == nullptr) return verdict.joined() + "\n" + footer.joined();
  if (single) add_causes(fastest->result, verdict);
  const std::size_t taken = verdict.size() + footer.size() + 2;
  const std::size_t most =
      std::max<std::size_t>(terminal.lines - std::min(terminal.lines, taken), 4);
  const auto table =
      single ? changes_table(*fastest, terminal, most) : layouts_table(explanation, terminal, most);
  return verdict.joined() + "\n" + text::joined_lines(table) + "\n" + footer.joined();
}

std::string explanation_in_full(const Explanation& explanation,
                                const text::TerminalSize& terminal) {
  return explanation_verdict(explanation, terminal).joined() + "\n" +
         explanation_text(explanation.scenario, explanation.layouts, explanation.currency,
                          explanation.most);
}

}  // namespace vgsim::cli
