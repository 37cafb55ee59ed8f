#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/scenario/answer/layout_time.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::RankingPair;

/// Of so many draws, an order that holds in these is taken to survive.
constexpr double kSurvives = 0.95;

std::string interval_words(const LayoutResult& layout) {
  if (!layout.training || !layout.training->iteration_interval) return {};
  const auto& interval = *layout.training->iteration_interval;
  return fmt::format(" (nine in ten: {} to {})", cli::duration_text(interval.low_s),
                     cli::duration_text(interval.high_s));
}

std::string others_words(const std::vector<const LayoutResult*>& order) {
  constexpr std::size_t kNamed = 4;
  const LayoutResult& best = *order.front();
  if (order.size() - 1 > kNamed) {
    return fmt::format("The other {} take {} ({}) to {} ({}).", order.size() - 1,
                       longer_than(*order[1], best), named(*order[1]),
                       longer_than(*order.back(), best), named(*order.back()));
  }
  std::vector<std::string> words;
  for (std::size_t i = 1; i < order.size(); ++i) {
    words.push_back(fmt::format("{} takes {}", named(*order[i]), longer_than(*order[i], best)));
  }
  return fmt::format("For the same work {}.", listed(words));
}

bool survives(const RankingPair& pair) {
  return static_cast<double>(pair.agree) >= kSurvives * static_cast<double>(pair.draws);
}

std::string best_words(const Report& report, const std::vector<const LayoutResult*>& order) {
  const LayoutResult& best = *order.front();
  if (order.size() == 1) {
    return fmt::format("{}: {}{}.", named(best), speed_words(best), interval_words(best));
  }
  if (equally_fast(order)) {
    return fmt::format("The layouts are equally fast: {}{}.", speed_words(best),
                       interval_words(best));
  }
  const auto& ranking = report.result.ranking;
  const bool clear = *scenario::time_of(*order[1]) > *scenario::time_of(best) &&
                     (ranking.empty() || survives(ranking.front()));
  const std::string speed = speed_words(best) + interval_words(best);
  if (clear) return fmt::format("{} is the fastest: {}.", named(best), speed);
  return fmt::format("No layout is clearly the fastest. {}: {}.", named(best), speed);
}

std::string refused_words(const Report& report) {
  std::vector<std::string> names;
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.refused) names.push_back(named(layout));
  }
  if (names.empty()) return {};
  return fmt::format("{} {} refused; the findings say why.", listed(names),
                     names.size() == 1 ? "is" : "are");
}

std::string ranking_words(const Report& report) {
  const auto order = by_speed(report);
  if (order.size() < 2 || equally_fast(order)) return {};
  if (report.result.ranking.empty()) {
    return "Whether this order survives what is not known exactly was not examined; --draws 20 "
           "does.";
  }
  std::vector<std::string> close;
  for (const RankingPair& pair : report.result.ranking) {
    if (survives(pair)) continue;
    close.push_back(fmt::format("{} is before {} in {} of {} draws", named(pair.faster),
                                named(pair.slower), pair.agree, pair.draws));
  }
  if (close.empty()) {
    return fmt::format(
        "This order survives what is not known exactly: it holds in at least 95 % of {} draws of "
        "all uncertain inputs.",
        report.result.ranking.front().draws);
  }
  return fmt::format("Too close to call, with what is not known exactly: {}.", listed(close));
}

}  // namespace

std::string subject_of(const Report& report) {
  std::set<std::string> subjects;
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.refused) continue;
    const std::string machines =
        cli::plural(layout.machines, layout.mode == "bare metal" ? "bare-metal host" : "VM");
    subjects.insert(fmt::format("{} in {}", cli::plural(layout.ranks, "GPU"), machines));
  }
  const std::string layouts = cli::plural(report.result.layouts.size(), "layout");
  if (subjects.size() != 1) return layouts;
  return report.result.layouts.size() == 1 ? *subjects.begin()
                                           : fmt::format("{}, {}", *subjects.begin(), layouts);
}

std::vector<std::string> verdict_of(const Report& report) {
  const auto order = by_speed(report);
  std::vector<std::string> sentences;
  if (order.empty()) {
    sentences.emplace_back("No layout runs: each is refused.");
  } else {
    std::string first = best_words(report, order);
    if (order.size() > 1 && !equally_fast(order)) first += " " + others_words(order);
    sentences.push_back(first);
    sentences.push_back(fmt::format("What holds {} back: {}.", named(*order.front()),
                                    cli::held_back_text(*order.front())));
  }
  for (const std::string& more : {ranking_words(report), refused_words(report)}) {
    if (!more.empty()) sentences.push_back(more);
  }
  return sentences;
}

std::string knowledge_of(const Report& report) {
  std::map<std::pair<std::string, std::string>, scenario::UsedInput> all;
  for (const LayoutResult& layout : report.result.layouts) {
    for (const auto& input : layout.inputs) all.emplace(std::pair(input.name, input.value), input);
  }
  if (all.empty()) return "Nothing was simulated.";
  std::vector<scenario::UsedInput> inputs;
  for (const auto& [key, input] : all) inputs.push_back(input);
  const auto count = scenario::count_knowledge(inputs);
  return fmt::format("This is a simulation. It rests on {}: {}.",
                     cli::plural(inputs.size(), "number"), to_string(count));
}

}  // namespace vgsim::report
