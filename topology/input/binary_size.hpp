#pragma once

#include <string>

#include "sim/units.hpp"

namespace vgsim::input {

/// "64 KiB" where that is exact, otherwise as format_bytes() has it.
[[nodiscard]] std::string format_binary_size(Bytes bytes);

}  // namespace vgsim::input
