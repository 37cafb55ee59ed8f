#pragma once

#include <string>
#include <vector>

#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// What a trace measured, whether it tells a network or not: GPU, steps, kernels, collective calls.
[[nodiscard]] std::vector<std::string> measured_facts(const Trace& trace);

}  // namespace vgsim::traces
