#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// How much of what a result rests on is measured, fitted, documented or assumed. Empty where
/// nothing was simulated.
[[nodiscard]] std::string head_text(const scenario::ScenarioResult& result);

/// "a limit cut off 8 of 20 draws: the intervals rest on the other 12"; empty where it cut off
/// none.
[[nodiscard]] std::string cut_draws_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
