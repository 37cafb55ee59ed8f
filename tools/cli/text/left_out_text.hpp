#pragma once

#include <string>
#include <vector>

#include "models/calibration/measurement.hpp"

namespace vgsim::cli {

/// A line for each reason, with the first item left out for it and the number of others.
[[nodiscard]] std::string left_out_text(const std::vector<calibration::LeftOut>& left_out);

}  // namespace vgsim::cli
