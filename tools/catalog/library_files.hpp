#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/library.hpp"

namespace vgsim::catalog {

/// Whether a file at a path of the configuration folder ("catalog/gpus.json") has been checked
/// (input::SourceFile).
using IsChecked = std::function<bool(const std::string& place, const std::string& text)>;

/// Loads the files of a library. `is_checked` is called for each file that is always read, also
/// if no scenario names it. Errors: no catalogue, files that cannot be loaded.
[[nodiscard]] tl::expected<scenario::LibraryFiles, input::Diagnostics> load_library_files(
    const std::string& dir, const IsChecked& is_checked);

/// The entry of a file in the list of checked files.
[[nodiscard]] std::string checked_mark(const std::string& place, const std::string& text);

/// The .json files of a folder, sorted by name; empty if the folder does not exist.
[[nodiscard]] std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder);

/// A path as messages show it, in its shortest form.
[[nodiscard]] std::string shown(const std::filesystem::path& path);

}  // namespace vgsim::catalog
