#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// The columns of nccl-tests, once for each layout.
[[nodiscard]] std::string collectives_text(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
