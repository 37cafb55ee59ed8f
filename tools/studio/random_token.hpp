#pragma once

#include <string>

namespace vgsim::studio {

/// 128 random bits in hexadecimal digits.
[[nodiscard]] std::string random_token();

}  // namespace vgsim::studio
