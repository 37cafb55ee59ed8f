#include "tools/cli/layouts_apart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/hints.hpp"

namespace vgsim::cli {
namespace {

void add(const input::Diagnostics& errors, const std::string& layout,
         std::vector<LayoutsApart::Complaint>& complaints) {
  const std::string text = input::render(errors);
  const auto same = std::find_if(complaints.begin(), complaints.end(), [&](const auto& each) {
    return input::render(each.errors) == text;
  });
  if (same == complaints.end()) {
    complaints.push_back({errors, {layout}});
  } else {
    same->layouts.push_back(layout);
  }
}

std::string quoted(const std::vector<std::string>& layouts) {
  std::vector<std::string> words;
  for (const std::string& layout : layouts) words.push_back(fmt::format("\"{}\"", layout));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string message_of(const LayoutsApart& apart, const input::Diagnostics& errors) {
  if (apart.complaints.empty()) return input::render(errors);
  std::string text;
  for (const auto& [own, layouts] : apart.complaints) {
    text += fmt::format("{} {} left out:\n{}", quoted(layouts), layouts.size() == 1 ? "is" : "are",
                        input::render(own));
  }
  return text;
}

}  // namespace

std::vector<std::string> LayoutsApart::left_out() const {
  std::vector<std::string> names;
  for (const Complaint& each : complaints) {
    names.insert(names.end(), each.layouts.begin(), each.layouts.end());
  }
  return names;
}

input::Diagnostics LayoutsApart::errors_with_names() const {
  input::Diagnostics named;
  for (const auto& [errors, layouts] : complaints) {
    for (input::Diagnostic each : errors.items()) {
      each.message = fmt::format("{} {}: {}", layouts.size() == 1 ? "layout" : "layouts",
                                 quoted(layouts), each.message);
      named.add(std::move(each));
    }
  }
  return named;
}

LayoutsApart layouts_apart(const scenario::Document& document, const input::FileLoader& load,
                           const scenario::Library& library) {
  LayoutsApart apart;
  for (const std::string& name : document.layouts()) {
    const auto alone = scenario::validate_scenario(document.with_layouts({name}), library, load);
    if (alone) {
      apart.good.push_back(name);
    } else {
      add(alone.error(), name, apart.complaints);
    }
  }
  const bool all_alike = apart.complaints.size() == 1 && apart.good.empty();
  if (all_alike) apart.complaints.clear();
  return apart;
}

bool keep_good_layouts(ScenarioInput& input, const scenario::Library& library,
                       const input::Diagnostics& errors) {
  const LayoutsApart apart = layouts_apart(input.document, input.load, library);
  write_message(message_of(apart, errors) + hints_about(errors));
  if (apart.good.empty()) return false;
  input.document = input.document.with_layouts(apart.good);
  return true;
}

int exit_code_of(const scenario::ScenarioResult& result, bool complete) {
  if (!complete) return kBadInput;
  const bool refused = std::any_of(result.layouts.begin(), result.layouts.end(),
                                   [](const auto& layout) { return layout.refused; });
  return refused ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
