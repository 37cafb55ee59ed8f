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
struct Layer {
  const char* folder;
  std::vector<std::string> may_include;
};

using Folders = std::vector<std::string>;

/// Folders that do not use scenarios.
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

const std::vector<Layer>& layers() {
  static const std::vector<Layer> table = {
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

bool allowed(const std::string& include, const Layer& layer) {
  for (const std::string& folder : layer.may_include) {
    if (include == folder || include.starts_with(folder + "/")) return true;
  }
  return false;
}

TEST(Includes, FollowTheLayers) {
  const std::regex include(R"re(^#include "((?:sim|topology|models|tools|tests)/[^"]*)")re");
  std::size_t seen = 0;
  for (const Layer& layer : layers()) {
    const std::filesystem::path root = std::filesystem::path(VGSIM_SOURCE_DIR) / layer.folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, include)) continue;
        ++seen;
        EXPECT_TRUE(allowed(match[1], layer)) << entry.path() << " includes " << match[1];
      }
    }
  }
  EXPECT_GT(seen, 100U) << "the test must find the includes that it judges";
}

/// A folder has few units (a header with its .cpp), so that it is easy to survey.
TEST(Folders, HaveAtMostThirtyTwoUnits) {
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  std::map<std::string, std::set<std::string>> units;
  for (const char* top : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const auto& path = entry.path();
      if (path.extension() != ".hpp" && path.extension() != ".cpp") continue;
      const auto folder = std::filesystem::relative(path.parent_path(), root);
      units[folder.generic_string()].insert(path.stem().string());
    }
  }
  ASSERT_GT(units.size(), 30U) << "the test must find the folders that it judges";
  for (const auto& [folder, names] : units) EXPECT_LE(names.size(), 32U) << folder;
}

/// The folders that parse files; they return structs.
const Folders kReadingFolders = {
    "topology/input/", "topology/catalog/", "topology/spec/", "topology/importers/",
    "models/calibration/logs/", "models/calibration/read/", "models/collectives/nccl/read/",
    "models/questions/read/", "models/scenario/read/", "models/scoring/kinds/",
    "models/scoring/read/", "models/training/read/", "models/vsphere/facts/",
    "models/vsphere/spec/",
    // The command line opens files and shows their possible content.
    "tools/catalog/", "tools/cli/reference/", "tools/cli/score/", "tools/cli/doctor/configs.cpp",
    "tools/cli/check/scenario_files.cpp", "tools/cli/commands/schema_command.cpp",
    "tools/cli/error_explanations.cpp", "tools/cli/scenario_input.cpp", "tools/sweep/question.cpp",
    // The studio edits the document itself, by patches, and is served or compiled for browsers.
    "tools/studio/", "tools/cli/commands/studio_sources.cpp", "tools/html/module.cpp"};

/// JSON is parsed into structs; no other file uses its values. (The JSON library for results is
/// a separate matter.)
TEST(Includes, OfJsonValuesAreInReadingFoldersOnly) {
  const std::regex json(
      R"re(^#include "topology/input/(value|typed|json_reader|decoder|record|merge_patch|shapes/shape_node)\.hpp")re");
  std::set<std::string> reading;
  const std::filesystem::path root(VGSIM_SOURCE_DIR);
  for (const char* folder : {"sim", "topology", "models", "tools"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
      const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
      const auto found =
          std::find_if(kReadingFolders.begin(), kReadingFolders.end(),
                       [&](const std::string& each) { return path.starts_with(each); });
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, json)) continue;
        EXPECT_NE(found, kReadingFolders.end()) << path << ": " << line;
        if (found != kReadingFolders.end()) reading.insert(*found);
      }
    }
  }
  EXPECT_EQ(reading.size(), kReadingFolders.size()) << "every listed folder reads JSON";
}

/// Units of a folder form layers by their includes: as many as the longest chain. Short chains
/// are easy to follow.
TEST(Includes, HaveFewLayers) {
  const std::map<std::string, std::size_t> most = {{"models/scenario/", 13},
                                                   {"models/scenario/read/", 7},
                                                   {"models/scenario/build/", 9},
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
    std::map<std::string, std::size_t> layer;
    const std::function<std::size_t(const std::string&)> layers_of = [&](const std::string& unit) {
      const auto [known, is_new] = layer.try_emplace(unit, 1);
      if (!is_new) return known->second;
      std::size_t deepest = 0;
      for (const std::string& each : below[unit]) deepest = std::max(deepest, layers_of(each));
      return layer[unit] = deepest + 1;
    };
    std::size_t deepest = 0;
    for (const auto& [unit, others] : std::map(below)) deepest = std::max(deepest, layers_of(unit));
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
        "tools/cli/compare/subject_metrics.hpp", "tools/cli/import/cluster_import.hpp",
        "tools/cli/compare/subjects.hpp", "tools/sweep/messages.hpp", "tools/sweep/point_row.hpp",
        "tools/sweep/summary.hpp", "topology/importers/topology_file/sourced_object.hpp"}},
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
