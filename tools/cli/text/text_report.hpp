#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// What `vgsim run` prints: layouts side by side, what holds each back, warnings, assumptions.
[[nodiscard]] std::string result_text(const scenario::ScenarioResult& result);

/// What `vgsim validate` prints.
[[nodiscard]] std::string validation_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
