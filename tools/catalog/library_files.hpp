#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/library.hpp"

namespace vgsim::catalog {

/// Whether a file that stands at a place ("catalog/gpus.json") of a configuration folder has been
/// checked (input::SourceFile).
using IsChecked = std::function<bool(const std::string& place, const std::string& text)>;

/// Loads the files that a library is read from. `is_checked` is asked of each that is read whether
/// or not a scenario names it. Errors: no catalogue, files that cannot be loaded.
[[nodiscard]] tl::expected<scenario::LibraryFiles, input::Diagnostics> load_library_files(
    const std::string& dir, const IsChecked& is_checked);

/// What stands for a file in a list of those that have been checked.
[[nodiscard]] std::string checked_mark(const std::string& place, const std::string& text);

/// The .json files of a folder, sorted by name; none where there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder);

/// A path as messages show it: as short as it can be.
[[nodiscard]] std::string shown(const std::filesystem::path& path);

}  // namespace vgsim::catalog
