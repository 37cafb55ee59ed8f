#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/extra.hpp"

namespace vgsim::calibration {

/// Logs of real runs in a folder next to the repository, if it exists.
inline std::filesystem::path sample_folder(const std::string& name) {
  return test::extra_files() / "logs" / name;
}

inline std::string sample_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All files of a folder and its subfolders.
inline std::vector<std::filesystem::path> samples_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code absent;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, absent)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  return paths;
}

/// Prepends a prefix to each line.
inline std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string result = prefix;
  for (const char c : text.substr(0, text.size() - 1)) {
    result += c;
    if (c == '\n') result += prefix;
  }
  return result + "\n";
}

}  // namespace vgsim::calibration
