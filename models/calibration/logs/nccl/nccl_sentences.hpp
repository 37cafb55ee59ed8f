#pragma once

#include <string>
#include <vector>

#include "models/calibration/logs/nccl/nccl_messages.hpp"

namespace vgsim::calibration::logs {

/// What NCCL's messages tell of the job, its communicators, connections, NICs and settings.
[[nodiscard]] std::vector<std::string> sentences_of(const NcclMessages& messages);

}  // namespace vgsim::calibration::logs
