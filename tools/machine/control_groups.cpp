#include "tools/machine/control_groups.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace vgsim::machine {
namespace {

namespace fs = std::filesystem;

/// The folder and file of the limit of a line of /proc/self/cgroup, "NUMBER:CONTROLLERS:PATH".
struct GroupPlace {
  fs::path tree;
  fs::path group;
  const char* file = nullptr;
};

std::optional<GroupPlace> place_of(const std::string& line, const fs::path& root) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
  if (second == line.npos) return std::nullopt;
  const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
  const fs::path group = fs::path(line.substr(second + 1)).relative_path();
  if (controllers == ",,") return GroupPlace{root, group, "memory.max"};
  if (controllers.find(",memory,") == controllers.npos) return std::nullopt;
  return GroupPlace{root / "memory", group, "memory.limit_in_bytes"};
}

/// Nothing for "max".
std::optional<std::uint64_t> limit_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t limit = 0;
  return stream >> limit ? std::optional(limit) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> memory_of_groups(const std::string& groups, const std::string& root) {
  std::optional<std::uint64_t> least;
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const auto place = place_of(line, root);
    if (!place) continue;
    for (fs::path group = place->group;; group = group.parent_path()) {
      const auto limit = limit_in(place->tree / group / place->file);
      if (limit) least = std::min(least.value_or(*limit), *limit);
      if (group.empty()) break;
    }
  }
  return least;
}

}  // namespace vgsim::machine
