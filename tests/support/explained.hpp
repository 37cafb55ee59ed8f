#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::test {

/// All changes of the only layout of a scenario, simulated, and its assumptions that matter.
struct Explained {
  scenario::LayoutResult result;
  std::vector<scenario::TriedChange> tried;
  std::vector<scenario::TriedChange> assumptions;

  /// The first change with this id, or nullptr.
  [[nodiscard]] const scenario::TriedChange* change(const std::string& id) const {
    return find(tried, id);
  }
  [[nodiscard]] const scenario::TriedChange* assumption(const std::string& id) const {
    return find(assumptions, id);
  }
  /// Whether a change sets a key to a value, alone or with others.
  [[nodiscard]] bool tries(const std::string& pointer) const {
    return std::ranges::any_of(tried, [&](const scenario::TriedChange& each) {
      return std::ranges::any_of(each.change.overrides, [&](const scenario::Override& change) {
        return change.pointer == pointer;
      });
    });
  }

 private:
  static const scenario::TriedChange* find(const std::vector<scenario::TriedChange>& all,
                                           const std::string& id) {
    const auto found = std::ranges::find_if(
        all, [&](const scenario::TriedChange& each) { return each.change.id == id; });
    return found == all.end() ? nullptr : &*found;
  }
};

/// Explains a valid scenario of one layout; `load` reads the files that it names.
inline Explained explained(const std::string& text,
                           const input::FileLoader& load = cli::loader_relative_to("x.json")) {
  input::Diagnostics diagnostics;
  const auto document = scenario::Document::parse(input::make_source("x.json", text));
  if (!document) throw std::runtime_error(input::render(document.error()));
  const auto layouts = scenario::read_layouts(*document, diagnostics);
  scenario::RunSettings settings;
  settings.record = true;
  const auto prepared =
      scenario::prepare_scenario(layouts.front().document, library(), load, settings);
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  Explained all;
  all.result = scenario::run(*prepared, settings).layouts.front();
  const scenario::ChangeContext at{layouts.front().document, *prepared, all.result, library()};
  all.tried = scenario::try_changes(at, scenario::changes_of(at), load, settings);
  all.assumptions = scenario::price_assumptions(at, load, settings);
  return all;
}

/// The compared time of a scenario of one layout, in seconds.
inline double seconds_of(const std::string& text) {
  return scenario::time_of(run_one(text)).value();
}

}  // namespace vgsim::test
