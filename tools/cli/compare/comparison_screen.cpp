#include "tools/cli/compare/comparison_screen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/questions/read/document_changes.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/cli/compare/comparison_text.hpp"
#include "tools/cli/compare/subject_metrics.hpp"
#include "tools/cli/screen/side_by_side.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Metric;

constexpr std::size_t kShownPlaces = 3;
constexpr std::size_t kShownOthers = 3;
constexpr std::size_t kShownSizes = 8;
constexpr std::size_t kFewestComparedLines = 5;

std::vector<std::string> subject_labels(const std::vector<Subject>& subjects) {
  std::vector<std::string> labels;
  for (const Subject& each : subjects) labels.push_back(each.label);
  return text::sentence_names(std::move(labels));
}

std::string cell_of_metric(const Subject& subject, const Metric& metric) {
  const Metric* own = metric_of(subject, metric.name);
  return own == nullptr ? "-" : text::figure(*own, subject.metrics);
}

std::string verdict_of_subjects(const std::vector<Subject>& subjects) {
  const auto labels = subject_labels(subjects);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (subjects[i].time_s) order.push_back(i);
  }
  if (order.size() < 2) return "fewer than two of them can be simulated: nothing to compare";
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *subjects[a].time_s < *subjects[b].time_s;
  });
  const Subject& fastest = subjects[order.front()];
  const auto gpus_of = [&](std::size_t i) {
    return subjects[i].result.value("ranks", std::size_t{0});
  };
  std::vector<text::Ranked> ranked;
  for (const std::size_t i : order) {
    const bool alike = std::all_of(order.begin(), order.end(),
                                   [&](std::size_t other) { return gpus_of(other) == gpus_of(i); });
    ranked.push_back({text::name_with_gpus(labels[i], gpus_of(i), alike),
                      *text::measure_of(subjects[i].result),
                      scenario::gap_between(*fastest.time_s, fastest.drawn_s, *subjects[i].time_s,
                                            subjects[i].drawn_s)});
  }
  return text::ranking_sentence(ranked, kShownOthers);
}

/// "/job/batch_per_gpu: 32 -> 64".
void add_places(const std::vector<Subject>& subjects, text::ScreenLines& lines) {
  const auto labels = subject_labels(subjects);
  const std::size_t shown_subjects =
      subjects.size() == 2 ? 1 : std::min<std::size_t>(subjects.size() - 1, 3);
  for (std::size_t s = 1; s <= shown_subjects; ++s) {
    if (!subjects.front().document || !subjects[s].document) {
      lines.labelled("differ in", "inputs are not kept with the result", 1);
      continue;
    }
    const auto changes =
        scenario::document_changes(*subjects.front().document, *subjects[s].document);
    const std::string who = subjects.size() > 2 ? labels[s] + ": " : std::string();
    if (changes.empty()) {
      lines.labelled("differ in", who + "no input", 1);
      continue;
    }
    const std::size_t most = subjects.size() == 2 ? kShownPlaces : 1;
    for (std::size_t i = 0; i < std::min(most, changes.size()); ++i) {
      const bool cut = i + 1 == most && changes.size() > most;
      const auto& each = changes[i];
      lines.labelled(i == 0 && s == 1 ? "differ in" : "",
                     fmt::format("{}{}{}: {} -> {}", who,
                                 cut ? text::plural(changes.size(), "place") + ", such as " : "",
                                 each.pointer, each.before.empty() ? "unset" : each.before,
                                 each.after.empty() ? "unset" : each.after),
                     1);
    }
  }
}

std::vector<text::LayoutRow> subject_rows(const std::vector<Subject>& subjects) {
  std::vector<text::LayoutRow> rows;
  const bool pair = subjects.size() == 2;
  const auto metrics = shown_metrics(subjects);
  const std::size_t step = (metrics.size() + kShownSizes - 1) / kShownSizes;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    // Of many sizes a few at equal distances, including the largest.
    const bool is_size = metrics[m].name.find('@') != std::string::npos;
    const bool lies_apart = (metrics.size() - 1 - m) % std::max<std::size_t>(step, 1) == 0;
    text::LayoutRow row{metrics[m].label,
                        metrics[m].label,
                        is_size ? (lies_apart ? 1 : 100) : static_cast<int>(m) + 1,
                        {}};
    for (const Subject& subject : subjects)
      row.cells.push_back(cell_of_metric(subject, metrics[m]));
    if (pair) {
      row.cells.push_back(change_words(metric_of(subjects.front(), metrics[m].name),
                                       metric_of(subjects.back(), metrics[m].name)));
    }
    rows.push_back(std::move(row));
  }
  text::LayoutRow limits{"bottleneck", "bottleneck", 1, {}};
  for (const Subject& subject : subjects)
    limits.cells.push_back(text::limit_words(subject.bottleneck));
  if (pair) {
    const bool is_same = subjects.front().bottleneck.what == subjects.back().bottleneck.what;
    limits.cells.emplace_back(is_same ? "same" : "another");
  }
  rows.push_back(std::move(limits));
  return rows;
}

text::ScreenLines comparison_verdict(const std::vector<Subject>& subjects,
                                     const text::TerminalSize& terminal) {
  text::ScreenLines lines(terminal);
  lines.verdict(verdict_of_subjects(subjects), 4);
  return lines;
}

}  // namespace

std::string comparison_screen(const std::vector<Subject>& subjects,
                              const text::TerminalSize& terminal) {
  text::ScreenLines lines = comparison_verdict(subjects, terminal);
  add_places(subjects, lines);
  const std::size_t taken = lines.size() + 3;
  SideBySide table{
      {},
      subject_rows(subjects),
      {},
      terminal.columns,
      std::max(kFewestComparedLines, terminal.lines - std::min(terminal.lines, taken))};
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    table.names.push_back(subjects[i].label);
    table.order.push_back(i);
  }
  if (subjects.size() == 2) {
    table.names.emplace_back("change");
    table.order.push_back(2);
  }
  return lines.joined() + "\n" + text::joined_lines(side_by_side(table)) +
         "\nall places and figures: --full\n";
}

std::string comparison_in_full(const std::vector<Subject>& subjects,
                               const text::TerminalSize& terminal) {
  return comparison_verdict(subjects, terminal).joined() + "\n" + comparison_text(subjects);
}

}  // namespace vgsim::cli
