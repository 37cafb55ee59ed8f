#pragma once

#include <optional>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// What `vgsim run` found out.
struct RunAnswer {
  const scenario::ScenarioResult& result;
  std::optional<scenario::BestChange> best;  ///< of the fastest layout; nothing: none was simulated
  std::string explain;                       ///< command that tells what would help
};

/// The answer on one screen: who is fastest and whether that is certain, what holds it back, what
/// helps most, the layouts side by side, and how much more there is. A table of more message sizes
/// than fit is whole, and the verdict stands below it.
[[nodiscard]] std::string run_screen(const RunAnswer& answer, const text::Room& room);

/// The same verdict, then everything.
[[nodiscard]] std::string run_in_full(const RunAnswer& answer, const text::Room& room);

}  // namespace vgsim::cli
