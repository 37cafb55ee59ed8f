#pragma once

#include <string>
#include <vector>

#include "models/traces/operation.hpp"

namespace vgsim::traces {

/// The measurements in a trace, with or without a network: GPU, steps, kernels, collective calls.
[[nodiscard]] std::vector<std::string> measured_facts(const Trace& trace);

}  // namespace vgsim::traces
