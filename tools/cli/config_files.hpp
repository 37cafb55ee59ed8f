#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/scenario/library.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::cli {

/// The folder with catalogue, networks and parameters: $VGSIM_CONFIGS where that is set and not
/// empty, else ../share/vgsim/configs from the program's folder, whether or not it is there.
[[nodiscard]] std::string config_dir();

/// Reads the library from a configuration folder.
[[nodiscard]] tl::expected<scenario::Library, input::Diagnostics> load_library(
    const std::string& dir);

/// Loads files that a scenario names, relative to the scenario.
[[nodiscard]] input::FileLoader loader_beside(const std::string& scenario_path);

}  // namespace vgsim::cli
