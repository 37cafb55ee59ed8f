#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace vgsim::probe::cuda {

/// The whole file; empty if it cannot be read.
[[nodiscard]] inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace vgsim::probe::cuda
