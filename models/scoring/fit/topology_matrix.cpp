#include "models/scoring/fit/topology_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::scenario {
std::string path_class(const std::string& matrix, std::size_t a, std::size_t b) {
  const auto parsed = topology::parse_path_matrix(matrix);
  if (!parsed) return {};
  const auto row_of = [&](std::size_t gpu) {
    const auto name =
        std::find(parsed->names.begin(), parsed->names.end(), fmt::format("GPU{}", gpu));
    return static_cast<std::size_t>(name - parsed->names.begin());
  };
  const std::size_t row = row_of(a);
  const std::size_t column = row_of(b);
  if (row >= parsed->cells.size() || column >= parsed->cells[row].size()) return {};
  return parsed->cells[row][column];
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
