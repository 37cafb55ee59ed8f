#pragma once

#include <string>

#include "sim/units.hpp"

namespace vgsim::input {

/// "64 KiB" if that is exact, otherwise as in format_bytes().
[[nodiscard]] std::string format_binary_size(Bytes bytes);

}  // namespace vgsim::input
