#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace vgsim {
namespace includes_test {

/// A folder and the folders or files of the project that it may include.
struct Floor {
  const char* folder;
  std::vector<std::string> may_include;
};

using Folders = std::vector<std::string>;

/// What knows no scenario.
const Folders kPhysics = {"sim",
                          "topology",
                          "models/calibration",
                          "models/collectives",
                          "models/kernels",
                          "models/training",
                          "models/vsphere"};

Folders with(Folders folders, const Folders& more) {
  folders.insert(folders.end(), more.begin(), more.end());
  return folders;
}

const std::vector<Floor>& floors() {
  static const std::vector<Floor> table = {
      {"sim", {"sim"}},
      {"topology/input", {"sim", "topology/input"}},
      {"topology/machine",
       {"sim", "topology/catalog", "topology/device_builder.hpp", "topology/graph",
        "topology/input", "topology/machine", "topology/nvlink_layout.hpp"}},
      {"topology/importers",
       {"sim", "topology/catalog", "topology/graph", "topology/importers", "topology/input",
        "topology/machine"}},
      {"topology", {"sim", "topology"}},
      {"models", {"sim", "topology", "models"}},
      {"models/calibration", kPhysics},
      {"models/collectives", kPhysics},
      {"models/kernels", {"sim", "topology", "models/calibration", "models/kernels"}},
      {"models/training", kPhysics},
      {"models/vsphere", kPhysics},
      {"models/scenario/read", with(kPhysics, {"models/scenario/read"})},
      {"models/scenario/build", with(kPhysics, {"models/scenario/read", "models/scenario/build"})},
      {"models/scenario/run",
       with(kPhysics, {"models/scenario/read", "models/scenario/build", "models/scenario/run"})},
      {"models/scenario", with(kPhysics, {"models/scenario"})},
      {"tools", {"sim", "topology", "models", "tools"}},
  };
  return table;
}

bool allowed(const std::string& include, const Floor& floor) {
  for (const std::string& folder : floor.may_include) {
    if (include == folder || include.starts_with(folder + "/")) return true;
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

/// Whoever opens a folder can take in what is in it: a unit is a header with its .cpp.
TEST(Folders, HoldNoMoreThanThirtyTwoUnits) {
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  std::map<std::string, std::set<std::string>> units;
  for (const char* room : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room)) {
      const auto& path = entry.path();
      if (path.extension() != ".hpp" && path.extension() != ".cpp") continue;
      const auto folder = std::filesystem::relative(path.parent_path(), root);
      units[folder.generic_string()].insert(path.stem().string());
    }
  }
  ASSERT_GT(units.size(), 30U) << "the test must find the folders that it judges";
  for (const auto& [folder, names] : units) EXPECT_LE(names.size(), 32U) << folder;
}

/// The rooms that read files: what they hand on are structs.
const Folders kReadingRooms = {
    "topology/input/", "topology/catalog/", "topology/spec/", "topology/importers/",
    "models/calibration/logs/", "models/calibration/read/", "models/collectives/nccl/read/",
    "models/questions/read/", "models/scenario/read/", "models/scoring/kinds/",
    "models/scoring/read/", "models/training/read/", "models/vsphere/facts/",
    "models/vsphere/spec/",
    // The command line opens files, and shows what may stand in them.
    "tools/catalog/", "tools/cli/reference/", "tools/cli/score/", "tools/cli/doctor/configs.cpp",
    "tools/cli/check/scenario_files.cpp", "tools/cli/commands/schema_command.cpp",
    "tools/cli/error_explanations.cpp", "tools/cli/scenario_input.cpp", "tools/sweep/question.cpp",
    // The studio works on the document itself: what is changed of it is a patch, and is saved.
    "tools/studio/"};

/// JSON is read, and after that there are only structs: no other file sees its values. (A library's
/// JSON, in which results are written, is another matter.)
TEST(Includes, OfJsonValuesStayInTheRoomsThatRead) {
  const std::regex json(
      R"re(^#include "topology/input/(value|typed|json_reader|decoder|record|merge_patch|shapes/shape_node)\.hpp")re");
  std::set<std::string> rooms;
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  for (const char* folder : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
      const auto room =
          std::find_if(kReadingRooms.begin(), kReadingRooms.end(),
                       [&](const std::string& each) { return path.starts_with(each); });
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, json)) continue;
        EXPECT_NE(room, kReadingRooms.end()) << path << ": " << line;
        if (room != kReadingRooms.end()) rooms.insert(*room);
      }
    }
  }
  EXPECT_EQ(rooms.size(), kReadingRooms.size()) << "every room that is listed reads";
}

/// Units of a folder that include one another are its floors: as many as the longest chain has. A
/// reader who follows one of them goes no further down than this.
TEST(Includes, HaveFewFloors) {
  const std::map<std::string, std::size_t> most = {{"models/scenario/", 13},
                                                   {"models/scenario/read/", 7},
                                                   {"models/scenario/build/", 7},
                                                   {"models/scenario/run/", 6},
                                                   {"models/scenario/answer/", 3}};
  const std::regex include(R"re(^#include "([^"]*)\.[ch]pp")re");
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  for (const auto& [folder, allowed] : most) {
    std::map<std::string, std::set<std::string>> below;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string unit =
          std::filesystem::relative(entry.path(), root).replace_extension().generic_string();
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, include)) continue;
        const std::string other = match[1];
        if (other != unit && other.starts_with(folder)) below[unit].insert(other);
      }
    }
    std::map<std::string, std::size_t> floor;
    const std::function<std::size_t(const std::string&)> floors_of = [&](const std::string& unit) {
      const auto [known, is_new] = floor.try_emplace(unit, 1);
      if (!is_new) return known->second;
      std::size_t deepest = 0;
      for (const std::string& each : below[unit]) deepest = std::max(deepest, floors_of(each));
      return floor[unit] = deepest + 1;
    };
    std::size_t deepest = 0;
    for (const auto& [unit, others] : std::map(below)) deepest = std::max(deepest, floors_of(unit));
    EXPECT_LE(deepest, allowed) << folder;
    EXPECT_GT(deepest, 1U) << folder << ": the test must find the includes that it judges";
  }
}

/// What a library's headers begin with, and ours that may include them, themselves or through
/// others: everybody else would take seconds longer to compile.
struct HeavyLibrary {
  std::string begins;
  std::set<std::string> allowed;
};

const std::vector<HeavyLibrary>& heavy_libraries() {
  static const std::vector<HeavyLibrary> table = {
      {"boost/", {"sim/exact.hpp", "topology/graph/device_graph.hpp"}},
      {"nlohmann/json.hpp",
       {"models/vsphere/import/cluster_scenario.hpp", "models/vsphere/import/vm_scenario.hpp",
        "tools/cli/compare/comparison_screen.hpp", "tools/cli/compare/comparison_text.hpp",
        "tools/cli/compare/subject_metrics.hpp", "tools/cli/compare/subjects.hpp",
        "tools/sweep/messages.hpp", "tools/sweep/point_row.hpp", "tools/sweep/summary.hpp",
        "topology/importers/topology_file/told_object.hpp"}},
      {"Eigen/", {"models/calibration/robust_fit.hpp", "models/scoring/fit/subject_predictor.hpp"}},
      {"fmt/", {}},
      {"CLI/", {}},
      {"pagmo/", {}},
      {"SQLiteCpp/", {}},
      {"protozero/", {}},
  };
  return table;
}

/// What each of our headers includes, by its path as #include writes it.
std::map<std::string, std::set<std::string>> includes_of_headers() {
  const std::regex include(R"re(^#include ["<]([^">]*)[">])re");
  std::map<std::string, std::set<std::string>> result;
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  for (const char* folder : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".hpp") continue;
      auto& of_header = result[std::filesystem::relative(entry.path(), root).generic_string()];
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (std::regex_search(line, match, include)) of_header.insert(match[1]);
      }
    }
  }
  return result;
}

TEST(Includes, HeadersAreLight) {
  const auto includes = includes_of_headers();
  ASSERT_GT(includes.size(), 500U) << "the test must find the headers that it judges";
  for (const auto& library : heavy_libraries()) {
    std::set<std::string> heavy;
    for (std::size_t before = 1; before != heavy.size();) {
      before = heavy.size();
      for (const auto& [header, included] : includes) {
        for (const std::string& each : included) {
          if (each.starts_with(library.begins) || heavy.contains(each)) heavy.insert(header);
        }
      }
      if (heavy.empty()) break;
    }
    EXPECT_EQ(heavy, library.allowed) << "headers that pull in <" << library.begins << "...>";
  }
}

}  // namespace includes_test
}  // namespace vgsim
