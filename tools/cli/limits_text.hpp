#pragma once

#include <string>

#include "models/scenario/result.hpp"

namespace vgsim::cli {

/// For each layout: the link that holds it back, its rings, what would limit next and the busiest
/// links. A layout that ran exactly as the first one is said to be the same.
[[nodiscard]] std::string limits_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
