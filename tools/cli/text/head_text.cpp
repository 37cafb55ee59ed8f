#include "tools/cli/text/head_text.hpp"

#include <fmt/core.h>

#include <map>
#include <utility>
#include <vector>

#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::ScenarioResult;
using scenario::UsedInput;

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

std::string line_of(const std::string& text) { return text.empty() ? text : text + '\n'; }

}  // namespace

std::string head_text(const ScenarioResult& result) {
  const auto inputs = all_inputs(result);
  if (inputs.empty()) return {};
  const auto count = scenario::count_knowledge(inputs);
  return fmt::format("rests on {}: {}\n", plural(inputs.size(), "number"), to_string(count)) +
         line_of(cut_draws_text(result));
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
