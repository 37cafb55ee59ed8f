#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// A scenario in which something is wrong, layout by layout.
struct LayoutsApart {
  /// What is wrong with these layouts alike.
  struct Complaint {
    input::Diagnostics errors;
    std::vector<std::string> layouts;
  };

  std::vector<std::string> good;      ///< layouts without errors
  std::vector<Complaint> complaints;  ///< none where the same is wrong with all of them

  [[nodiscard]] std::vector<std::string> left_out() const;
  /// All errors, each with the layouts that it is of.
  [[nodiscard]] input::Diagnostics errors_with_names() const;
};

[[nodiscard]] LayoutsApart layouts_apart(const scenario::Document& document,
                                         const input::FileLoader& load,
                                         const scenario::Library& library);

/// Leaves only the layouts without errors in the input and writes what is wrong with the others.
/// Whether any is left.
[[nodiscard]] bool keep_good_layouts(ScenarioInput& input, const scenario::Library& library,
                                     const input::Diagnostics& errors);

/// An answer, and whether it is one for all layouts.
template <class Value>
struct PartialAnswer {
  Value value;
  bool complete = true;
};

/// The exit code of an answer about these layouts: kExpectationFailed where one is refused;
/// kBadInput where some were left out for their errors.
[[nodiscard]] int exit_code_of(const scenario::ScenarioResult& result, bool complete);

/// What `ask(input)` answers; where some layouts have errors, what it answers for the others.
/// Nothing where none is left; then what is wrong has been written.
template <class Ask>
auto ask_good_layouts(ScenarioInput& input, const scenario::Library& library, const Ask& ask)
    -> std::optional<PartialAnswer<typename decltype(ask(input))::value_type>> {
  auto answer = ask(input);
  if (answer) return {{std::move(*answer), true}};
  if (!keep_good_layouts(input, library, answer.error())) return std::nullopt;
  answer = ask(input);
  if (answer) return {{std::move(*answer), false}};
  (void)report_errors(answer.error());
  return std::nullopt;
}

}  // namespace vgsim::cli
