#include "tools/cli/text/advice_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "models/scenario/answer/figures.hpp"
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

using scenario::kMostChoices;

/// Figures shown of each choice, those of the goal first.
std::vector<std::string> columns_of(const AdviceRequest& request) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& name) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  };
  for (const auto& objective : request.objectives) add(objective.metric);
  for (const auto& requirement : request.requirements) add(requirement.metric);
  if (request.hosts_down > 0) {
    add("training_time_s");
    add("interruption_time_s");
  }
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

/// A figure of a choice; its interval, "-" if it has none.
std::string figure_of(const Candidate& choice, const std::string& name) {
  const auto* metric = find(choice, name);
  return metric == nullptr ? "-" : text::figure(*metric, choice.layout.metrics);
}
std::string range_of(const Candidate& choice, const std::string& name) {
  const auto* metric = find(choice, name);
  const auto interval =
      metric == nullptr ? std::nullopt : text::interval_of(*metric, choice.layout.metrics);
  return interval ? text::time_range(*interval, metric->value) : "-";
}

constexpr std::size_t kLongestValue = 24;

std::string value_set(const Candidate& choice, const std::string& pointer) {
  for (const auto& each : choice.set) {
    if (each.pointer != pointer || each.value.is_null()) continue;
    return text::shortened(scenario::words_of(each), kLongestValue);
  }
  return "-";
}

/// Pointers whose values differ between choices, in the order of the request.
std::vector<std::string> differing(const std::vector<Candidate>& choices) {
  std::vector<std::string> pointers;
  for (const Candidate& choice : choices) {
    for (const auto& each : choice.set) {
      const bool differs = std::any_of(choices.begin(), choices.end(), [&](const Candidate& other) {
        return value_set(other, each.pointer) != value_set(choices.front(), each.pointer);
      });
      const bool known =
          std::find(pointers.begin(), pointers.end(), each.pointer) != pointers.end();
      if (differs && !known) pointers.push_back(each.pointer);
    }
  }
  return pointers;
}

/// Names by the differences: layout, number of hosts, settings. If still equal, or for a single
/// choice, the layouts' names.
std::vector<std::string> names_of(const std::vector<Candidate>& choices) {
  const auto differ = [&](const auto& of) {
    return std::any_of(choices.begin(), choices.end(),
                       [&](const Candidate& each) { return of(each) != of(choices.front()); });
  };
  const auto layout = [](const Candidate& each) { return each.layout.name; };
  const auto hosts = [](const Candidate& each) {
    const std::string count = figure_of(each, "hosts");
    return count + (count == "1" ? " host" : " hosts");
  };
  const auto pointers = differing(choices);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    std::vector<std::string> parts;
    if (choices.size() == 1 || differ(layout)) parts.push_back(layout(choices[i]));
    if (choices.size() == 1 || differ(hosts)) parts.push_back(hosts(choices[i]));
    for (const std::string& pointer : pointers) {
      const std::string value = value_set(choices[i], pointer);
      if (value != "-") parts.push_back(value);
    }
    if (parts.empty()) parts.push_back(layout(choices[i]));
    names.push_back(fmt::format("{}  {}", i + 1,
                                text::shortened(fmt::format("{}", fmt::join(parts, ", ")), 30)));
  }
  return names;
}

/// Settings of a choice; long values are cut, removed keys left out.
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

bool has_range(const std::vector<Candidate>& choices, const std::string& name) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const Candidate& each) { return range_of(each, name) != "-"; });
}

/// From the first choice; nothing for itself, and without draws.
std::optional<std::string> difference_words(const std::vector<Candidate>& choices, std::size_t i) {
  const auto& difference = choices[i].layout.difference;
  if (i == 0 || !difference) return std::nullopt;
  return text::relative_words(*difference);
}

std::string choices_text(const AdviceRequest& request, const std::vector<Candidate>& choices) {
  text::Table table;
  std::vector<std::string> head{""};
  for (const std::string& name : columns_of(request)) {
    head.push_back(scenario::metric_named(name)->label);
    if (has_range(choices, name)) head.emplace_back("90 % interval");
  }
  table.add_row(std::move(head));
  const std::size_t shown = std::min(choices.size(), kMostChoices);
  const auto names = names_of(choices);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> row{names[i]};
    for (const std::string& name : columns_of(request)) {
      row.push_back(figure_of(choices[i], name));
      if (has_range(choices, name)) row.push_back(range_of(choices[i], name));
    }
    table.add_row(std::move(row));
  }
  std::string text = table.text();
  if (shown < choices.size()) text += fmt::format("{} more\n", choices.size() - shown);
  text += "\nsettings\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string set = set_text(choices[i]);
    text +=
        "  " + text::wrap(fmt::format("{}  {}", i + 1, set.empty() ? "as it is" : set), 5) + "\n";
    for (const std::string& miss : choices[i].misses) {
      text += "     " + text::wrap("misses " + miss, 7) + "\n";
    }
    if (const auto words = difference_words(choices, i)) {
      text += "     " + text::wrap("time of a sample against choice 1: " + *words, 7) + "\n";
    }
    if (!choices[i].layout.rules.empty()) {
      text += "     " +
              text::wrap(fmt::format("mind {}", fmt::join(choices[i].layout.rules, ", ")), 7) +
              "\n";
    }
  }
  return text;
}

std::string goal_text(const AdviceRequest& request) {
  std::vector<std::string> parts;
  for (const auto& objective : request.objectives) {
    const scenario::MetricUnit unit = scenario::metric_named(objective.metric)->unit;
    const char* least = unit == scenario::MetricUnit::kCount ? "fewest" : "lowest";
    parts.push_back(fmt::format("{} {}", objective.larger ? "highest" : least, objective.metric));
  }
  for (const auto& requirement : request.requirements) parts.push_back(requirement.words);
  if (request.hosts_down > 0) {
    parts.push_back(fmt::format(
        "with {} down", text::plural(static_cast<std::size_t>(request.hosts_down), "host")));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string tried_text(const Advice& advice) {
  std::string text = fmt::format(
      "tried {} of {}{}: {} meet the goal, {} miss it, {} cannot be run\n", advice.simulated,
      text::plural(advice.space, "combination"), advice.exhaustive ? "" : " (evolutionary search)",
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
  for (const auto& metric : candidate.layout.metrics) {
    out["metrics"][metric.name] = metric.value;
    if (metric.low) out["intervals"][metric.name] = {{"low", *metric.low}, {"high", *metric.high}};
  }
  if (const auto& difference = candidate.layout.difference) {
    out["difference"] = {{"more", difference->more},
                         {"low", difference->low},
                         {"high", difference->high},
                         {"statement", difference->statement}};
  }
  out["rules"] = candidate.layout.rules;
  if (!candidate.misses.empty()) out["misses"] = candidate.misses;
  return out;
}

}  // namespace

namespace {

/// "2 hosts, passthrough: training_time_s at most 14 h: 20.1 h".
std::string loser_words(const AdviceRequest& request, const Candidate& loser) {
  const auto* hosts = find(loser, "hosts");
  const double all =
      (hosts == nullptr ? 0.0 : hosts->value) + static_cast<double>(request.hosts_down);
  return fmt::format("{}, {}: {}", text::plural(static_cast<std::size_t>(all), "host"),
                     text::shortened(loser.layout.name, 24), fmt::join(loser.misses, ", "));
}

std::string losers_text(const AdviceRequest& request, const Advice& advice) {
  if (advice.losers.empty()) return {};
  std::string text = "\nnot chosen\n";
  for (const Candidate& loser : advice.losers) {
    text += "  " + text::wrap(loser_words(request, loser), 4) + "\n";
  }
  return text;
}

std::string advice_text(const AdviceRequest& request, const Advice& advice) {
  std::string text =
      fmt::format("{}\n{}\n\n", request.space.name, text::wrap("goal: " + goal_text(request), 2));
  if (!advice.best.empty()) {
    text += fmt::format("Pareto-optimal: {}\n", text::plural(advice.best.size(), "choice")) +
            choices_text(request, advice.best);
  } else if (!advice.nearest.empty()) {
    text += "nothing meets the goal; nearest to it\n" + choices_text(request, advice.nearest);
  } else {
    text += "nothing could be run\n";
  }
  return text + losers_text(request, advice) + "\n" + tried_text(advice);
}

constexpr std::size_t kTwoAdviceLines = 2;
constexpr std::size_t kFewestChoices = 4;
const std::vector<Candidate>& choices_of(const Advice& advice) {
  return advice.best.empty() ? advice.nearest : advice.best;
}

/// "cost of an epoch 0.31, epoch 2.35 min": the figures of the goal.
std::string figures_words(const AdviceRequest& request, const Candidate& choice) {
  std::vector<std::string> words;
  for (const std::string& name : columns_of(request)) {
    const auto* metric = find(choice, name);
    if (metric == nullptr || words.size() == 3) continue;
    const std::string range = range_of(choice, name);
    words.push_back(fmt::format("{} {}{}", metric->label, figure_of(choice, name),
                                range == "-" ? "" : " (" + range + ")"));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

text::ScreenLines advice_verdict(const AdviceRequest& request, const Advice& advice,
                                 const text::TerminalSize& terminal) {
  text::ScreenLines lines(terminal);
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
                              choices.size() == 1
                                  ? std::string("; the only Pareto-optimal choice")
                                  : fmt::format("; {} other Pareto-optimal {}", choices.size() - 1,
                                                choices.size() == 2 ? "choice" : "choices")),
                  3);
  }
  if (!choices.empty()) {
    const std::string set = set_text(choices.front());
    lines.labelled("sets", set.empty() ? "the scenario as it is" : set, kTwoAdviceLines);
  }
  lines.labelled("goal", goal_text(request), kTwoAdviceLines);
  if (request.hosts_down > 0 && !choices.empty()) {
    const auto* hosts = find(choices.front(), "hosts");
    const auto busy = static_cast<std::size_t>(hosts == nullptr ? 0.0 : hosts->value);
    const auto free = static_cast<std::size_t>(request.hosts_down);
    lines.labelled("hosts",
                   fmt::format("{}: {} for the job, {} free for the VMs of a failed one",
                               busy + free, busy, free),
                   kTwoAdviceLines);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(advice.losers.size(), 2); ++i) {
    lines.labelled(i == 0 ? "not chosen" : "", loser_words(request, advice.losers[i]),
                   kTwoAdviceLines);
  }
  return lines;
}

bool is_of_goal(const AdviceRequest& request, const std::string& name) {
  const auto is = [&](const auto& each) { return each.metric == name; };
  return std::any_of(request.objectives.begin(), request.objectives.end(), is) ||
         std::any_of(request.requirements.begin(), request.requirements.end(), is);
}

/// Figures of the goal, at least two; hosts and settings are in the name of a choice.
std::vector<text::LayoutRow> choice_rows(const AdviceRequest& request,
                                         const std::vector<Candidate>& choices) {
  std::vector<text::LayoutRow> rows;
  int rank = 0;
  for (const std::string& name : columns_of(request)) {
    if (name == "hosts" || (rows.size() >= 2 && !is_of_goal(request, name))) continue;
    const std::string label = scenario::metric_named(name)->label;
    const int worth = rank < 2 ? rank : rank + 2;
    ++rank;
    text::LayoutRow row{label, label, worth, {}};
    for (const Candidate& choice : choices) row.cells.push_back(figure_of(choice, name));
    rows.push_back(std::move(row));
    if (!has_range(choices, name)) continue;
    text::LayoutRow range{"90 % interval", "90 % interval", worth, {}};
    for (const Candidate& choice : choices) range.cells.push_back(range_of(choice, name));
    rows.push_back(std::move(range));
  }
  text::LayoutRow against{"time against 1", "against 1", 1, {}};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& difference = choices[i].layout.difference;
    against.cells.push_back(i == 0 || !difference ? "-" : text::relative_range(*difference));
  }
  const auto is_known = [](const std::string& cell) { return cell != "-"; };
  if (std::ranges::any_of(against.cells, is_known)) rows.push_back(std::move(against));
  return rows;
}

std::string tried_words(const Advice& advice) {
  std::string text = fmt::format("tried {} of {}: {} meet the goal, {} miss it, {} cannot run",
                                 advice.simulated, text::plural(advice.space, "combination"),
                                 advice.meet, advice.miss, advice.failed);
  std::uint64_t refused = 0;
  for (const auto& [rule, count] : advice.refused_by) refused += count;
  if (refused > 0) text += fmt::format(", {} refused", refused);
  return text + "; settings and costs: --full";
}

}  // namespace

std::string advice_screen(const AdviceRequest& request, const Advice& advice,
                          const text::TerminalSize& terminal) {
  const text::ScreenLines verdict = advice_verdict(request, advice, terminal);
  text::ScreenLines footer(terminal);
  footer.text(
      text::shortened(request.space.name, terminal.columns / 2) + ": " + tried_words(advice), 3);
  const auto& choices = choices_of(advice);
  if (choices.empty()) return verdict.joined() + "\n" + footer.joined();
  const std::size_t taken = verdict.size() + footer.size() + 2;
  SideBySide table{{},
                   choice_rows(request, choices),
                   {},
                   terminal.columns,
                   std::max(kFewestChoices, terminal.lines - std::min(terminal.lines, taken))};
  table.names = names_of(choices);
  for (std::size_t i = 0; i < choices.size(); ++i) table.order.push_back(i);
  return verdict.joined() + "\n" + text::joined_lines(one_below_the_other(table)) + "\n" +
         footer.joined();
}

std::string advice_in_full(const AdviceRequest& request, const Advice& advice,
                           const text::TerminalSize& terminal) {
  return advice_verdict(request, advice, terminal).joined() + "\n" + advice_text(request, advice);
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
  for (const Candidate& each : advice.losers) out["not_chosen"].push_back(candidate_json(each));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::cli
