#pragma once

#include <string>

#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

enum class FindingKind {
  kExpectation,  ///< the scenario expects something else
  kDrift,        ///< it is not what it was in the baseline
  kNote,         ///< worth knowing; nothing fails for it
};

/// The word for it in reports: "expectation", "drift", "note".
[[nodiscard]] const char* to_string(FindingKind kind);

/// Something that `vgsim check` found.
struct Finding {
  FindingKind kind = FindingKind::kExpectation;
  std::string layout;        ///< empty: the scenario as a whole
  std::string figure;        ///< "iteration_time_s", "bottleneck", "refused", "baseline" ...
  std::string expected;      ///< "at most 250 ms"; of a drift what the baseline has: "268.2 ms"
  std::string found;         ///< "271 ms"
  std::string words;         ///< how far apart they are: "1.04 % slower"; may be empty
  double change = 0.0;       ///< of a drift: now over before, minus one; 0 where that says nothing
  input::Location location;  ///< in the scenario
  std::string pointer;       ///< JSON pointer there; may be empty
};

/// In one line, without the layout: "iteration_time_s 268.2 ms -> 271 ms, 1.04 % slower",
/// "iteration_time_s: expected at most 250 ms, is 271 ms".
[[nodiscard]] std::string message_of(const Finding& finding);

}  // namespace vgsim::scenario
