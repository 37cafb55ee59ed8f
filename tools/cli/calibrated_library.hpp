#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "models/scenario/read/library.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// The library of the configuration folder, with the given calibration (a name or a file)
/// instead of the defaults.
[[nodiscard]] tl::expected<scenario::Library, input::Diagnostics> load_calibrated_library(
    const std::optional<std::string>& calibration);

}  // namespace vgsim::cli
