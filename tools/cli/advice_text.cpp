#include "tools/cli/advice_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "models/scenario/manifest.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/words.hpp"

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
    std::string value =
        each.value.is_string() ? each.value.string() : input::to_canonical_string(each.value);
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
