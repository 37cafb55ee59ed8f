#pragma once

#include <string>
#include <vector>

#include "models/calibration/measurement.hpp"

namespace vgsim::cli {

/// A line for each reason, with the first thing that was left out for it, and how many more.
[[nodiscard]] std::string left_out_text(const std::vector<calibration::LeftOut>& left_out);

}  // namespace vgsim::cli
