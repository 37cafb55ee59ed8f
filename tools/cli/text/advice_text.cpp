#include "tools/cli/text/advice_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "models/scenario/answer/manifest.hpp"
#include "tools/cli/screen/side_by_side.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::Advice;
using scenario::AdviceRequest;
using scenario::Candidate;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostChoices = 20;

/// Figures that are shown of each choice: those that count first.
std::vector<std::string> columns_of(const AdviceRequest& request) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& name) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  };
  for (const auto& objective : request.objectives) add(objective.metric);
  for (const auto& requirement : request.requirements) add(requirement.metric);
  for (const char* usual : {"iteration_time_s", "samples_per_s", "hosts"}) {
    if (columns.size() < 5) add(usual);
  }
  return columns;
}

const scenario::Metric* find(const Candidate& candidate, const std::string& name) {
  const auto found = std::find_if(candidate.layout.metrics.begin(), candidate.layout.metrics.end(),
                                  [&](const auto& each) { return each.name == name; });
  return found == candidate.layout.metrics.end() ? nullptr : &*found;
}

/// What tells a choice from others: long values and those that only leave something out are short.
std::string set_text(const Candidate& candidate) {
  constexpr std::size_t kMost = 48;
  std::vector<std::string> parts;
  for (const auto& each : candidate.set) {
    if (each.value.is_null()) continue;
    std::string value = scenario::words_of(each);
    if (value.size() > kMost)
      value = fmt::format("{}...", std::string_view(value).substr(0, kMost));
    parts.push_back(fmt::format("{} = {}", each.pointer, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string choices_text(const AdviceRequest& request, const std::vector<Candidate>& choices) {
  const auto columns = columns_of(request);
  Table table;
  std::vector<std::string> head{""};
  for (const std::string& name : columns) head.push_back(scenario::metric_named(name)->label);
  table.add_row(std::move(head));
  const std::size_t shown = std::min(choices.size(), kMostChoices);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> row{fmt::format("{}  {}", i + 1, choices[i].layout.name)};
    for (const std::string& name : columns) {
      const auto* metric = find(choices[i], name);
      row.push_back(metric == nullptr ? "-" : scenario::in_words(metric->value, metric->unit));
    }
    table.add_row(std::move(row));
  }
  std::string text = table.text();
  if (shown < choices.size()) text += fmt::format("{} more\n", choices.size() - shown);
  text += "\nwhat each sets\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string set = set_text(choices[i]);
    text += "  " + wrap(fmt::format("{}  {}", i + 1, set.empty() ? "as it is" : set), 5) + "\n";
    for (const std::string& miss : choices[i].misses) {
      text += "     " + wrap("misses " + miss, 7) + "\n";
    }
    if (!choices[i].layout.rules.empty()) {
      text += "     " + wrap(fmt::format("mind {}", fmt::join(choices[i].layout.rules, ", ")), 7) +
              "\n";
    }
  }
  return text;
}

std::string goal_text(const AdviceRequest& request) {
  std::vector<std::string> parts;
  for (const auto& objective : request.objectives) {
    parts.push_back(
        fmt::format("{} {}", objective.larger ? "largest" : "smallest", objective.metric));
  }
  for (const auto& requirement : request.requirements) parts.push_back(requirement.words);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string tried_text(const Advice& advice) {
  std::string text = fmt::format(
      "tried {} of {}{}: {} meet the goal, {} miss it, {} cannot be run\n", advice.simulated,
      plural(advice.space, "combination"), advice.exhaustive ? "" : " (evolutionary search)",
      advice.meet, advice.miss, advice.failed);
  std::vector<std::pair<std::string, std::uint64_t>> refused(advice.refused_by.begin(),
                                                             advice.refused_by.end());
  std::stable_sort(refused.begin(), refused.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [rule, count] : refused) {
    text += fmt::format("  {} refused by {}\n", count, rule);
  }
  return text;
}

Json candidate_json(const Candidate& candidate) {
  Json out{{"point", candidate.point}, {"layout", candidate.layout.name}, {"set", Json::object()}};
  for (const auto& each : candidate.set) {
    out["set"][each.pointer] = scenario::to_ordered_json(each.value);
  }
  for (const auto& metric : candidate.layout.metrics) out["metrics"][metric.name] = metric.value;
  out["rules"] = candidate.layout.rules;
  if (!candidate.misses.empty()) out["misses"] = candidate.misses;
  return out;
}

}  // namespace

namespace {

std::string advice_text(const AdviceRequest& request, const Advice& advice) {
  std::string text =
      fmt::format("{}\n{}\n\n", request.space.name, wrap("goal: " + goal_text(request), 2));
  if (!advice.best.empty()) {
    text += fmt::format("{} that no other beats in everything\n",
                        plural(advice.best.size(), "choice")) +
            choices_text(request, advice.best);
  } else if (!advice.nearest.empty()) {
    text += "nothing meets the goal; nearest to it\n" + choices_text(request, advice.nearest);
  } else {
    text += "nothing could be run\n";
  }
  return text + "\n" + tried_text(advice);
}

constexpr std::size_t kTwoAdviceLines = 2;
constexpr std::size_t kFewestChoices = 4;
constexpr std::size_t kLongestValue = 24;

const std::vector<Candidate>& choices_of(const Advice& advice) {
  return advice.best.empty() ? advice.nearest : advice.best;
}

/// "cost of an epoch 0.31, epoch 2.35 min": what the goal speaks of.
std::string figures_words(const AdviceRequest& request, const Candidate& choice) {
  std::vector<std::string> words;
  for (const std::string& name : columns_of(request)) {
    const auto* metric = find(choice, name);
    if (metric == nullptr || words.size() == 3) continue;
    words.push_back(
        fmt::format("{} {}", metric->label, figure(metric->value, metric->unit, std::nullopt)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

ScreenLines advice_verdict(const AdviceRequest& request, const Advice& advice, const Room& room) {
  ScreenLines lines(room);
  const auto& choices = choices_of(advice);
  if (choices.empty()) {
    lines.verdict("nothing could be run", 1);
  } else if (advice.best.empty()) {
    lines.verdict(fmt::format("nothing meets the goal; nearest: {}, {}; misses {}",
                              choices.front().layout.name, figures_words(request, choices.front()),
                              fmt::join(choices.front().misses, ", ")),
                  3);
  } else {
    lines.verdict(fmt::format("{}: {}{}", choices.front().layout.name,
                              figures_words(request, choices.front()),
                              choices.size() == 1 ? std::string("; no other is better in anything")
                                                  : fmt::format("; {} others are better in "
                                                                "something else",
                                                                choices.size() - 1)),
                  3);
  }
  if (!choices.empty()) {
    const std::string set = set_text(choices.front());
    lines.labelled("sets", set.empty() ? "the scenario as it is" : set, kTwoAdviceLines);
  }
  lines.labelled("goal", goal_text(request), kTwoAdviceLines);
  return lines;
}

/// "batch_per_gpu" of "/job/batch_per_gpu".
std::string leaf_of(const std::string& pointer) {
  return pointer.substr(pointer.find_last_of('/') + 1);
}

std::string value_set(const Candidate& choice, const std::string& pointer) {
  for (const auto& each : choice.set) {
    if (each.pointer != pointer || each.value.is_null()) continue;
    return shortened(scenario::words_of(each), kLongestValue);
  }
  return "-";
}

/// Figures of each choice, then what it sets where choices differ in that.
std::vector<LayoutRow> choice_rows(const AdviceRequest& request,
                                   const std::vector<Candidate>& choices) {
  std::vector<LayoutRow> rows;
  int rank = 0;
  for (const std::string& name : columns_of(request)) {
    const std::string label = scenario::metric_named(name)->label;
    LayoutRow row{label, label, rank < 2 ? rank : rank + 2, {}};
    ++rank;
    for (const Candidate& choice : choices) {
      const auto* metric = find(choice, name);
      row.cells.push_back(metric == nullptr ? "-"
                                            : figure(metric->value, metric->unit, std::nullopt));
    }
    rows.push_back(std::move(row));
  }
  for (const auto& each : choices.front().set) {
    LayoutRow row{leaf_of(each.pointer), leaf_of(each.pointer), 3, {}};
    for (const Candidate& choice : choices) row.cells.push_back(value_set(choice, each.pointer));
    const bool differs = std::any_of(row.cells.begin(), row.cells.end(),
                                     [&](const auto& cell) { return cell != row.cells.front(); });
    if (differs) rows.push_back(std::move(row));
  }
  return rows;
}

std::string tried_words(const Advice& advice) {
  std::string text =
      fmt::format("tried {} of {}: {} meet the goal, {} miss it, {} cannot run", advice.simulated,
                  plural(advice.space, "combination"), advice.meet, advice.miss, advice.failed);
  std::uint64_t refused = 0;
  for (const auto& [rule, count] : advice.refused_by) refused += count;
  if (refused > 0) text += fmt::format(", {} refused", refused);
  return text + "; what each sets and costs: --full";
}

}  // namespace

std::string advice_screen(const AdviceRequest& request, const Advice& advice, const Room& room) {
  const ScreenLines verdict = advice_verdict(request, advice, room);
  ScreenLines footer(room);
  footer.text(shortened(request.space.name, room.columns / 2) + ": " + tried_words(advice), 3);
  const auto& choices = choices_of(advice);
  if (choices.empty()) return verdict.joined() + "\n" + footer.joined();
  const std::size_t taken = verdict.size() + footer.size() + 2;
  SideBySide table{{},
                   choice_rows(request, choices),
                   {},
                   room.columns,
                   std::max(kFewestChoices, room.lines - std::min(room.lines, taken))};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    table.names.push_back(fmt::format("{}  {}", i + 1, choices[i].layout.name));
    table.order.push_back(i);
  }
  return verdict.joined() + "\n" + joined_lines(one_below_the_other(table)) + "\n" +
         footer.joined();
}

std::string advice_in_full(const AdviceRequest& request, const Advice& advice, const Room& room) {
  return advice_verdict(request, advice, room).joined() + "\n" + advice_text(request, advice);
}

std::string advice_json(const AdviceRequest& request, const Advice& advice) {
  Json out{{"schema", "vgsim.advice-result/1"},
           {"name", request.space.name},
           {"goal", goal_text(request)},
           {"combinations", advice.space},
           {"simulated", advice.simulated},
           {"exhaustive", advice.exhaustive},
           {"meet", advice.meet},
           {"miss", advice.miss},
           {"failed", advice.failed},
           {"refused_by", advice.refused_by},
           {"best", Json::array()}};
  for (const Candidate& each : advice.best) out["best"].push_back(candidate_json(each));
  for (const Candidate& each : advice.nearest) out["nearest"].push_back(candidate_json(each));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::cli
