#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::cli {

/// The folder with catalogue, networks and parameters: $VGSIM_CONFIGS where that is set and not
/// empty, else ../share/vgsim/configs from the program's folder, whether or not it is there.
[[nodiscard]] std::string config_dir();

/// Reads the library from a configuration folder.
[[nodiscard]] tl::expected<scenario::Library, input::Diagnostics> load_library(
    const std::string& dir);

/// The scenario's file that a word stands for: that file where there is one, or "-"; else a shipped
/// scenario by its name (bert-large-4xr750xa) or its place in the source tree
/// (configs/scenarios/bert-large-4xr750xa.json); else the word itself.
[[nodiscard]] std::string scenario_path(const std::string& word);

/// Reads it. Errors: a file that cannot be read; where there is none, the nearest shipped names.
[[nodiscard]] tl::expected<input::SourcePtr, input::Diagnostics> load_scenario_file(
    const std::string& word);

/// Loads files that the scenario in a file names, relative to that file.
[[nodiscard]] input::FileLoader loader_beside(const std::string& file);

}  // namespace vgsim::cli
