#include "tools/cli/screen/findings_count.hpp"

#include <fmt/core.h>

#include <set>
#include <utility>

#include "tools/text/words.hpp"

namespace vgsim::cli {

std::string size_of_job(const scenario::ScenarioResult& result) {
  std::set<std::string> sizes;
  for (const scenario::LayoutResult& layout : result.layouts) {
    if (layout.refused) continue;
    sizes.insert(fmt::format(
        "{} in {}", text::plural(layout.ranks, "GPU"),
        text::plural(layout.machines, layout.is_bare_metal() ? "bare-metal host" : "VM")));
  }
  return sizes.size() == 1 ? *sizes.begin() : text::plural(result.layouts.size(), "layout");
}

std::string findings_count(const scenario::ScenarioResult& result) {
  std::set<std::string> warnings;
  std::set<std::string> notes;
  std::set<std::string> assumptions;
  std::set<std::pair<std::string, std::string>> numbers;
  std::set<std::pair<std::string, std::string>> assumed;
  for (const scenario::LayoutResult& layout : result.layouts) {
    for (const auto& warning : layout.warnings) {
      if (warning.rule.starts_with("loses-")) continue;
      if (warning.verdict == vsphere::Verdict::kWarning) warnings.insert(warning.text);
      if (warning.verdict == vsphere::Verdict::kNote) notes.insert(warning.text);
    }
    assumptions.insert("calibration " + layout.calibration);
    assumptions.insert(layout.assumptions.begin(), layout.assumptions.end());
    for (const auto& input : layout.inputs) {
      numbers.emplace(input.name, input.value);
      if (input.knowledge == scenario::Knowledge::kAssumed)
        assumed.emplace(input.name, input.value);
    }
  }
  std::string text = text::plural(warnings.size(), "warning");
  if (!notes.empty()) text += ", " + text::plural(notes.size(), "note");
  text += ", " + text::plural(assumptions.size(), "assumption");
  if (!assumed.empty()) {
    text +=
        fmt::format(", {} of {} assumed", assumed.size(), text::plural(numbers.size(), "number"));
  }
  return text;
}

}  // namespace vgsim::cli
