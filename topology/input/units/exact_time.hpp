#pragma once

#include <string>

#include "sim/units.hpp"

namespace vgsim::input {

/// An exact time in microseconds with as few digits as possible: "12.3 us". For times of at least
/// 0.
[[nodiscard]] std::string exact_time_text(SimTime time);

}  // namespace vgsim::input
