#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// Where the time between the first layout's iteration and that of each other one comes from: parts
/// that add up to all of it, each with the paths and rules that differ. Empty where one layout, or
/// none that trains, is to be compared.
[[nodiscard]] std::string differences_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
