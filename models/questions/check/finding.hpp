#pragma once

#include <string>

#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

enum class FindingKind {
  kExpectation,  ///< violated expectation of the scenario
  kDrift,        ///< difference from the baseline
  kNote,         ///< information, not a failure
};

/// The word in reports: "expectation", "drift", "note".
[[nodiscard]] const char* to_string(FindingKind kind);

/// A finding of `vgsim check`.
struct Finding {
  FindingKind kind = FindingKind::kExpectation;
  std::string layout;        ///< empty: the scenario as a whole
  std::string figure;        ///< "iteration_time_s", "bottleneck", "refused", "baseline" ...
  std::string expected;      ///< "at most 250 ms"; for drift the value of the baseline: "268.2 ms"
  std::string found;         ///< "271 ms"
  std::string words;         ///< difference: "1.04 % slower"; may be empty
  double change = 0.0;       ///< for drift: now / before - 1; 0 if not applicable
  input::Location location;  ///< in the scenario
  std::string pointer;       ///< JSON pointer in the scenario; may be empty
};

/// One line, without the layout: "iteration_time_s 268.2 ms -> 271 ms, 1.04 % slower",
/// "iteration_time_s: expected at most 250 ms, is 271 ms".
[[nodiscard]] std::string message_of(const Finding& finding);

}  // namespace vgsim::scenario
