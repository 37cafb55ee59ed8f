#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/library.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::cli {

/// The folder with catalogue, networks and parameters: $VGSIM_CONFIGS where that is set and not
/// empty, else ../share/vgsim/configs from the program's folder, whether or not it is there.
[[nodiscard]] std::string config_dir();

/// Reads the library from a configuration folder.
[[nodiscard]] tl::expected<scenario::Library, input::Diagnostics> load_library(
    const std::string& dir);

/// The .json files of a folder, sorted by name; none where there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder);

/// The scenarios in a configuration folder, by file name without .json.
[[nodiscard]] std::map<std::string, std::filesystem::path> shipped_scenarios(
    const std::string& dir);

/// Reads the file of a scenario, or standard input where the path is "-". Where there is no such
/// file, the path may be the name of a shipped scenario (bert-large-4xr750xa), or its place in the
/// source tree (configs/scenarios/bert-large-4xr750xa.json).
[[nodiscard]] tl::expected<input::SourcePtr, input::Diagnostics> load_scenario_file(
    const std::string& path);

/// Loads files that a scenario names, relative to the scenario.
[[nodiscard]] input::FileLoader loader_beside(const std::string& scenario_path);

}  // namespace vgsim::cli
