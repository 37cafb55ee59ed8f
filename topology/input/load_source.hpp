#pragma once

#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/limits.hpp"

namespace vgsim::input {

/// The text of a file, whatever it holds. Errors: E111 if it is missing, a directory or cannot be
/// read; E107 beyond kMaxFileBytes, before more than that is in memory.
[[nodiscard]] tl::expected<SourcePtr, Diagnostics> load_source(const std::string& path);

}  // namespace vgsim::input
