#pragma once

#include "models/scenario/read/library.hpp"
#include "tools/studio/sources.hpp"

namespace vgsim::cli {

/// Scenarios of `vgsim studio`: shipped ones and saved sessions, those of `vgsim new`, and imports
/// as by `vgsim import`. The library has to live as long.
[[nodiscard]] studio::Sources studio_sources(const scenario::Library& library);

/// A stored scenario with the files that its layouts name. Errors: those of the file.
[[nodiscard]] tl::expected<studio::Opening, input::Diagnostics> stored_opening(
    const std::string& path, const scenario::Library& library);

}  // namespace vgsim::cli
