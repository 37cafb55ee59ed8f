#include "tools/cli/config_files.hpp"

#include <fmt/core.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "tools/catalog/library_files.hpp"
#include "tools/cli/checked_marks.hpp"
#include "tools/cli/output.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

/// The path of this program; without /proc as it was started.
fs::path own_path() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) path = fs::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error);
  return path;
}

fs::path beside_program(const char* name) {
  return (own_path().parent_path() / "../share/vgsim" / name).lexically_normal();
}

std::string scenario_name(const fs::path& file) {
  return (file.extension() == ".json" ? file.stem() : file).string();
}

/// JSON files of the folder of a missing one, as the user would name them; without a folder also
/// the shipped scenarios.
std::vector<std::string> nameable_beside(const std::string& word) {
  const fs::path asked(word);
  std::vector<std::string> names;
  const fs::path folder = asked.has_parent_path() ? asked.parent_path() : fs::path(".");
  for (const fs::path& file : catalog::json_files(folder)) {
    names.push_back((asked.parent_path() / file.filename()).string());
  }
  if (asked.has_parent_path()) return names;
  for (const auto& scenario : shipped_scenarios()) names.push_back(scenario.first);
  return names;
}

/// A scenario in a copy of the configurations does not use the catalogue of that copy.
std::string other_configs_note(const fs::path& scenario) {
  std::error_code error;
  const fs::path own = fs::weakly_canonical(config_dir(), error);
  fs::path folder = fs::weakly_canonical(scenario, error).parent_path();
  for (int level = 0; level < 3 && !folder.empty(); ++level, folder = folder.parent_path()) {
    if (!fs::exists(folder / "catalog" / "gpus.json", error)) continue;
    if (folder == own) return {};
    return fmt::format(
        "vgsim: {} has a catalogue that is not used: this run uses that of {}; VGSIM_CONFIGS={} "
        "uses it\n",
        folder.string(), own.string(), folder.string());
  }
  return {};
}

}  // namespace

std::string config_dir() {
  const char* set = std::getenv("VGSIM_CONFIGS");
  if (set != nullptr && *set != '\0') return set;
  std::error_code error;
  const fs::path beside = beside_program("configs");
  // In a build tree this is a link to the folder of the source tree.
  const fs::path resolved = fs::canonical(beside, error);
  return error ? beside.string() : resolved.string();
}

tl::expected<std::string, std::string> studio_page() {
  const std::string file = beside_program("vgsim.html").string();
  const auto page = input::load_source(file);
  if (page) return (*page)->text;
  return tl::unexpected(
      fmt::format("there is no {}: cmake --build build --target html makes it", file));
}

std::map<std::string, fs::path> shipped_scenarios() {
  std::map<std::string, fs::path> scenarios;
  for (const char* folder : {"scenarios", "scenarios/questions", "scenarios/training"}) {
    for (const fs::path& file : catalog::json_files(fs::path(config_dir()) / folder)) {
      scenarios.emplace(scenario_name(file.filename()), file);
    }
  }
  return scenarios;
}

tl::expected<scenario::Library, input::Diagnostics> load_library(const std::string& dir) {
  const auto files =
      catalog::load_library_files(dir, [](const std::string& place, const std::string& text) {
        return checked_marks().contains(catalog::checked_mark(place, text));
      });
  if (!files) return tl::unexpected(files.error());
  return scenario::read_library(*files);
}

std::string scenario_path(const std::string& word) {
  std::error_code error;
  if (word == input::kStandardInput || fs::exists(word, error)) return word;
  const fs::path asked(word);
  if (!asked.has_parent_path()) {
    const auto scenarios = shipped_scenarios();
    const auto found = scenarios.find(scenario_name(asked));
    return found == scenarios.end() ? word : catalog::shown(found->second);
  }
  if (*asked.begin() != "configs") return word;
  const fs::path below = fs::path(config_dir()) / asked.lexically_relative("configs");
  return fs::exists(below, error) ? catalog::shown(below) : word;
}

tl::expected<input::SourcePtr, input::Diagnostics> load_scenario_file(const std::string& word) {
  const std::string path = scenario_path(word);
  auto file = input::load_input(path);
  std::error_code error;
  const bool is_there = path == input::kStandardInput || fs::exists(path, error);
  if (is_there) write_message(other_configs_note(path));
  if (file || is_there) return file;
  const auto nearest = input::suggest(word, nameable_beside(word));
  if (nearest.empty()) return file;
  input::Diagnostics diagnostics;
  diagnostics.error("E111", {}, "", "there is no file \"" + word + "\"",
                    "a file, or the name of a scenario below " + config_dir() + "/scenarios",
                    nearest);
  return tl::unexpected(diagnostics);
}

input::FileLoader loader_relative_to(const std::string& file) {
  return [dir = fs::path(file).parent_path()](const std::string& path) {
    return input::load_source((dir / path).string());
  };
}

}  // namespace vgsim::cli
