#pragma once

#include <optional>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/deciding.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// Results of `vgsim run`.
struct RunAnswer {
  const scenario::ScenarioResult& result;
  std::optional<scenario::BestChange>
      best;             ///< of the fastest layout; nothing if none was simulated
  std::string explain;  ///< command that looks for improvements
  /// The undecided layout next to the fastest, if it is cheap to find what decides it.
  std::optional<scenario::UndecidedLayout> undecided = std::nullopt;
};

/// The answer on one screen: the fastest layout and its confidence, its bottleneck and best
/// change, the layouts side by side, and the number of further details. A table of more message
/// sizes than fit is shown whole, with the verdict below it.
[[nodiscard]] std::string run_screen(const RunAnswer& answer, const text::TerminalSize& terminal);

/// The same verdict, then all details.
[[nodiscard]] std::string run_in_full(const RunAnswer& answer, const text::TerminalSize& terminal);

}  // namespace vgsim::cli
