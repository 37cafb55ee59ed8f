#include "models/questions/explain/changes/situation.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::scenario {

const Layout& layout_of(const Situation& at) {
  return *at.prepared.layouts.front().placement.layout;
}

bool bites(const LayoutResult& result, std::string_view rule) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const Warning& warning) { return warning.rule == rule; });
}

const DrawnHost* drawn(const LayoutResult& result) {
  if (!result.picture || result.picture->hosts.empty()) return nullptr;
  return &result.picture->hosts.front();
}

void add_if_any(Change change, std::vector<Change>& changes) {
  if (!change.overrides.empty()) changes.push_back(std::move(change));
}

}  // namespace vgsim::scenario
