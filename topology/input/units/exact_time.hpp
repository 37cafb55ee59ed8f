#pragma once

#include <string>

#include "sim/units.hpp"

namespace vgsim::input {

/// In microseconds, exactly and with no more digits than it takes: "12.3 us". For times from 0 on.
[[nodiscard]] std::string exact_time_text(SimTime time);

}  // namespace vgsim::input
