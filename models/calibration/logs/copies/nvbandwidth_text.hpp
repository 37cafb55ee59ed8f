#pragma once

#include <string_view>

#include "models/calibration/logs/copies/nvbandwidth_output.hpp"

namespace vgsim::calibration::logs::nvbandwidth {

/// Reads the text that nvbandwidth prints. Lines of anything else may stand around its own.
void read_text(std::string_view text, Output& output);

}  // namespace vgsim::calibration::logs::nvbandwidth
