#pragma once

#include <string>

namespace vgsim::cli {

/// "0.9.0"
[[nodiscard]] const char* version();

/// "vgsim 0.9.0 (305e434)"; without the brackets if the commit is unknown.
[[nodiscard]] std::string version_text(const std::string& commit);

}  // namespace vgsim::cli
