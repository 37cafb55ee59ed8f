#pragma once

#include <string>
#include <vector>

#include "tools/cli/text/explain_result.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// What was found out about a scenario.
struct Explanation {
  std::string scenario;  ///< its name
  std::vector<ExplainedLayout> layouts;
  std::string currency;
  std::size_t most = 8;  ///< changes that are shown in full
};

/// The change that helps most, what holds the job back, and what else would help, on one screen; of
/// several layouts the best change of each.
[[nodiscard]] std::string explanation_screen(const Explanation& explanation,
                                             const text::Room& room);

/// The same verdict, then everything.
[[nodiscard]] std::string explanation_in_full(const Explanation& explanation,
                                              const text::Room& room);

}  // namespace vgsim::cli
