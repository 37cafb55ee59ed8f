#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace vgsim {
namespace {

/// A folder and the folders of the project that it may include.
struct Floor {
  const char* folder;
  std::vector<std::string> may_include;
};

const std::vector<Floor>& floors() {
  static const std::vector<Floor> table = {
      {"sim", {"sim"}},
      {"topology/input", {"sim", "topology/input"}},
      {"topology", {"sim", "topology"}},
      {"models", {"sim", "topology", "models"}},
      {"tools", {"sim", "topology", "models", "tools"}},
  };
  return table;
}

bool allowed(const std::string& include, const Floor& floor) {
  for (const std::string& folder : floor.may_include) {
    if (include.starts_with(folder + "/")) return true;
  }
  return false;
}

TEST(Includes, NeverClimbTheStairs) {
  const std::regex include(R"re(^#include "((?:sim|topology|models|tools|tests)/[^"]*)")re");
  std::size_t seen = 0;
  for (const Floor& floor : floors()) {
    const std::filesystem::path root = std::filesystem::path(VGSIM_SOURCE_DIR) / floor.folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, include)) continue;
        ++seen;
        EXPECT_TRUE(allowed(match[1], floor)) << entry.path() << " includes " << match[1];
      }
    }
  }
  EXPECT_GT(seen, 100U) << "the test must find the includes that it judges";
}

}  // namespace
}  // namespace vgsim
