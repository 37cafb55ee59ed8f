#pragma once

#include <string>
#include <vector>

#include "tools/cli/text/explain_result.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// Results of `vgsim explain`.
struct Explanation {
  std::string scenario;  ///< its name
  std::vector<ExplainedLayout> layouts;
  std::string currency;
  std::size_t most = 8;  ///< changes shown in full
};

/// The bottleneck and the improvements, best first, on one screen; for several layouts the best
/// change of each.
[[nodiscard]] std::string explanation_screen(const Explanation& explanation,
                                             const text::TerminalSize& terminal);

/// The same verdict, then all details.
[[nodiscard]] std::string explanation_in_full(const Explanation& explanation,
                                              const text::TerminalSize& terminal);

}  // namespace vgsim::cli
