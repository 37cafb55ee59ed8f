#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::cli {

/// The configuration folder: $VGSIM_CONFIGS if set and not empty, else ../share/vgsim/configs
/// from the program's folder, whether or not it exists.
[[nodiscard]] std::string config_dir();

/// The studio as one page (tools/html): ../share/vgsim/vgsim.html from the program's folder. The
/// error is a sentence with the command that makes it.
[[nodiscard]] tl::expected<std::string, std::string> studio_page();

/// Reads the library from a configuration folder.
[[nodiscard]] tl::expected<scenario::Library, input::Diagnostics> load_library(
    const std::string& dir);

/// The files of the shipped scenarios by their names.
[[nodiscard]] std::map<std::string, std::filesystem::path> shipped_scenarios();

/// The scenario's file for an argument: an existing file or "-"; else a shipped scenario by
/// name (bert-large-4xr750xa) or by its path in the source tree
/// (configs/scenarios/bert-large-4xr750xa.json); else the argument itself.
[[nodiscard]] std::string scenario_path(const std::string& word);

/// Reads that file. Errors: an unreadable file; for a missing one, the nearest shipped names.
[[nodiscard]] tl::expected<input::SourcePtr, input::Diagnostics> load_scenario_file(
    const std::string& word);

/// Loads files named in a file, relative to the latter.
[[nodiscard]] input::FileLoader loader_relative_to(const std::string& file);

}  // namespace vgsim::cli
