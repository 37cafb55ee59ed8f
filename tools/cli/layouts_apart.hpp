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

/// A scenario with errors, layout by layout.
struct LayoutsApart {
  /// An error common to these layouts.
  struct Complaint {
    input::Diagnostics errors;
    std::vector<std::string> layouts;
  };

  std::vector<std::string> good;      ///< layouts without errors
  std::vector<Complaint> complaints;  ///< empty if all layouts have the same errors

  [[nodiscard]] std::vector<std::string> left_out() const;
  /// All errors, each with its layouts.
  [[nodiscard]] input::Diagnostics errors_with_names() const;
};

[[nodiscard]] LayoutsApart layouts_apart(const scenario::Document& document,
                                         const input::FileLoader& load,
                                         const scenario::Library& library);

/// Keeps only the layouts without errors in the input and writes the errors of the others.
/// Whether any is left.
[[nodiscard]] bool keep_good_layouts(ScenarioInput& input, const scenario::Library& library,
                                     const input::Diagnostics& errors);

/// An answer, and whether it is of all layouts.
template <class Value>
struct PartialAnswer {
  Value value;
  bool complete = true;
};

/// The exit code of an answer: kExpectationFailed if a layout is refused; kBadInput if some
/// were left out for errors.
[[nodiscard]] int exit_code_of(const scenario::ScenarioResult& result, bool complete);

/// The answer of `ask(input)`; if some layouts have errors, that of the others. Nothing if none
/// is left; then the errors have been written.
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
