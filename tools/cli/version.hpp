#pragma once

namespace vgsim::cli {

/// "0.9.0"
[[nodiscard]] const char* version();

}  // namespace vgsim::cli
