#pragma once

#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// "5 warnings, 3 assumptions, 11 of 61 numbers assumed": details that --full shows; findings
/// of several layouts count once.
[[nodiscard]] std::string findings_count(const scenario::ScenarioResult& result);

/// "16 GPUs in 4 VMs", or "3 layouts" if they differ in that.
[[nodiscard]] std::string size_of_job(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
