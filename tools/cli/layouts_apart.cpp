#include "tools/cli/layouts_apart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/scenario/answer/run_scenario.hpp"

namespace vgsim::cli {
namespace {

/// What is wrong, and with which layouts.
using Complaints = std::vector<std::pair<std::string, std::vector<std::string>>>;

void add(const std::string& text, const std::string& layout, Complaints& complaints) {
  const auto same = std::find_if(complaints.begin(), complaints.end(),
                                 [&](const auto& each) { return each.first == text; });
  if (same == complaints.end()) {
    complaints.push_back({text, {layout}});
  } else {
    same->second.push_back(layout);
  }
}

std::string heading(const std::vector<std::string>& layouts) {
  std::vector<std::string> quoted;
  for (const std::string& layout : layouts) quoted.push_back(fmt::format("\"{}\"", layout));
  return fmt::format("{} {} left out:\n", fmt::join(quoted, ", "),
                     layouts.size() == 1 ? "is" : "are");
}

}  // namespace

LayoutsApart layouts_apart(const ScenarioInput& input, const scenario::Library& library,
                           const input::Diagnostics& errors) {
  const std::vector<std::string> names = input.document.layouts();
  LayoutsApart apart;
  Complaints complaints;
  for (const std::string& name : names) {
    const auto alone =
        scenario::validate_scenario(input.document.with_layouts({name}), library, input.load);
    if (alone) {
      apart.good.push_back(name);
    } else {
      add(input::render(alone.error()), name, complaints);
    }
  }
  if (complaints.empty() || (complaints.size() == 1 && apart.good.empty())) {
    return {{}, input::render(errors)};
  }
  for (const auto& [text, layouts] : complaints) apart.messages += heading(layouts) + text;
  return apart;
}

bool keep_good_layouts(ScenarioInput& input, const scenario::Library& library,
                       const input::Diagnostics& errors) {
  const LayoutsApart apart = layouts_apart(input, library, errors);
  write_message(apart.messages);
  if (apart.good.empty()) return false;
  input.document = input.document.with_layouts(apart.good);
  return true;
}

}  // namespace vgsim::cli
