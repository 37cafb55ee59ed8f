#include "tools/cli/text/head_text.hpp"

#include <fmt/core.h>

#include <map>
#include <utility>
#include <vector>

#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::RankingPair;
using scenario::ScenarioResult;
using scenario::UsedInput;

/// Of so many draws, an order that holds in these is taken to survive.
constexpr double kSurvives = 0.95;

/// What any of the layouts rests on, the same once.
std::vector<UsedInput> all_inputs(const ScenarioResult& result) {
  std::map<std::pair<std::string, std::string>, UsedInput> all;
  for (const auto& layout : result.layouts) {
    for (const UsedInput& input : layout.inputs)
      all.emplace(std::pair(input.name, input.value), input);
  }
  std::vector<UsedInput> inputs;
  for (auto& [key, input] : all) inputs.push_back(std::move(input));
  return inputs;
}

bool survives(const RankingPair& pair) {
  return static_cast<double>(pair.agree) >= kSurvives * static_cast<double>(pair.draws);
}

std::string ranking_text(const ScenarioResult& result) {
  if (result.ranking.empty()) return {};
  const std::size_t draws = result.ranking.front().draws;
  std::string close;
  for (const RankingPair& pair : result.ranking) {
    if (survives(pair)) continue;
    close += fmt::format("{}\"{}\" before \"{}\" in {} of {}", close.empty() ? "" : ", ",
                         pair.faster, pair.slower, pair.agree, pair.draws);
  }
  if (close.empty()) {
    return fmt::format("the order of the layouts survives their intervals ({} draws)\n", draws);
  }
  return fmt::format("too close to call within their intervals: {} draws\n", close);
}

std::string line_of(const std::string& text) { return text.empty() ? text : text + '\n'; }

}  // namespace

std::string head_text(const ScenarioResult& result) {
  const auto inputs = all_inputs(result);
  if (inputs.empty()) return {};
  const auto count = scenario::count_knowledge(inputs);
  return fmt::format("rests on {}: {}\n", plural(inputs.size(), "number"), to_string(count)) +
         ranking_text(result) + line_of(cut_draws_text(result));
}

std::string cut_draws_text(const ScenarioResult& result) {
  const auto& [asked, cut_off] = result.draws;
  if (cut_off == 0) return {};
  if (cut_off == asked) {
    return fmt::format("a limit cut off all {}: there are no intervals", plural(asked, "draw"));
  }
  return fmt::format("a limit cut off {} of {}: the intervals rest on the other {}", cut_off,
                     plural(asked, "draw"), asked - cut_off);
}

}  // namespace vgsim::cli
