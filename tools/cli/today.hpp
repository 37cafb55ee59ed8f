#pragma once

#include <string>

namespace vgsim::cli {

/// The date, as "2026-11-22", UTC.
[[nodiscard]] std::string today();

}  // namespace vgsim::cli
