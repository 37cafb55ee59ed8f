#include "models/scenario/fit/topology_matrix.hpp"

#include <charconv>
#include <sstream>
#include <vector>

namespace vgsim::scenario {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string path_class(const std::string& matrix, std::size_t a, std::size_t b) {
  const std::string row = "GPU" + std::to_string(a);
  std::istringstream lines(matrix);
  for (std::string line; std::getline(lines, line);) {
    const auto words = words_of(line);
    // The header starts with GPU0 as well, and goes on with GPU1.
    const bool is_row = words.size() > b + 1 && words[0] == row && words[1].rfind("GPU", 0) != 0;
    if (is_row) return words[b + 1];
  }
  return {};
}

std::optional<std::size_t> nvlinks_of(const std::string& path_class) {
  if (path_class.rfind("NV", 0) != 0) return std::nullopt;
  std::size_t links = 0;
  const char* end = path_class.data() + path_class.size();
  const auto [rest, error] = std::from_chars(path_class.data() + 2, end, links);
  if (error != std::errc() || rest != end || links == 0) return std::nullopt;
  return links;
}

}  // namespace vgsim::scenario
