#include <fmt/core.h>

#include <map>
#include <set>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/change_text.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;

constexpr std::size_t kMostReasons = 3;  ///< on the first sheet

/// The first few sentences; the section on vSphere has all.
std::vector<std::string> first_of(std::vector<std::string> sentences) {
  if (sentences.size() <= kMostReasons + 1) return sentences;
  const std::size_t more = sentences.size() - kMostReasons;
  sentences.resize(kMostReasons);
  sentences.push_back(fmt::format("{} more findings of this kind in the appendix", more));
  return sentences;
}

std::string best_words(const scenario::BestChange& best, const LayoutResult& layout) {
  return fmt::format("Best change: {}.", best.helping.empty()
                                             ? no_help_words(*best.tried)
                                             : change_sentence(best.helping.front(), layout));
}

/// Of draws cut off by a limit; empty if there are none.
std::string cut_draws_words(const scenario::ScenarioResult& result) {
  const auto& [asked, cut_off] = result.draws;
  if (cut_off == 0) return {};
  if (cut_off == asked) {
    return fmt::format(" A limit cut off all {}: there are no intervals.",
                       text::plural(asked, "draw"));
  }
  return fmt::format(" A limit cut off {} of {}: the intervals are of the other {}.", cut_off,
                     text::plural(asked, "draw"), asked - cut_off);
}

}  // namespace

std::string subject_of(const Report& report) {
  std::set<std::string> subjects;
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.refused) continue;
    const std::string machines =
        text::plural(layout.machines, layout.is_bare_metal() ? "bare-metal host" : "VM");
    subjects.insert(fmt::format("{} in {}", text::plural(layout.ranks, "GPU"), machines));
  }
  const std::string layouts = text::plural(report.result.layouts.size(), "layout");
  if (subjects.size() != 1) return layouts;
  return report.result.layouts.size() == 1 ? *subjects.begin()
                                           : fmt::format("{}, {}", *subjects.begin(), layouts);
}

std::vector<std::string> verdict_of(const Report& report) {
  std::vector<std::string> sentences;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& each : more) sentences.push_back(each + ".");
  };
  add(text::verdict_sentences(report.result, scenario::ranked_groups(report.result)));
  if (const LayoutResult* fastest = fastest_of(report)) {
    sentences.push_back(
        fmt::format("Bottleneck of {}: {}.", named(*fastest), text::bottleneck_text(*fastest)));
    if (report.best && report.best->tried) {
      sentences.push_back(best_words(*report.best, *fastest));
    }
  }
  add(first_of(text::refusal_sentences(report.result)));
  add(first_of(text::unpriced_sentences(report.result)));
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
  return fmt::format("This is a simulation. It rests on {}: {}.{}",
                     text::plural(inputs.size(), "number"), to_string(count),
                     cut_draws_words(report.result));
}

}  // namespace vgsim::report
