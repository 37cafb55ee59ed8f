#include "tools/cli/check/baseline_folder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "tools/cli/output.hpp"
#include "tools/cli/score/case_files.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTolerances = "tolerances.json";
constexpr const char* kUnfinished = ".new";

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return names;
  input::Diagnostics ignored;  // unreadable folders appear as missing baselines later
  for (const std::string& path : json_files_below(folder, ignored)) {
    const std::string name = fs::path(path).lexically_relative(folder).generic_string();
    if (name != kTolerances) names.push_back(name);
  }
  return names;
}

/// The suffixes of a path, the longest first, without the root.
std::vector<std::string> ends_of(const fs::path& path) {
  std::vector<std::string> ends;
  fs::path end;
  for (fs::path rest = path; rest.has_filename(); rest = rest.parent_path()) {
    end = end.empty() ? rest.filename() : rest.filename() / end;
    ends.push_back(end.generic_string());
  }
  std::reverse(ends.begin(), ends.end());
  return ends;
}

fs::path whole(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  const fs::path found = error ? fs::path(path).lexically_normal() : canonical;
  return found.has_filename() ? found : found.parent_path();
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Writes all texts to temporary files in their folders. Returns those files.
std::vector<fs::path> write_temporaries(const fs::path& folder,
                                        const std::map<std::string, std::string>& texts) {
  std::vector<fs::path> written;
  try {
    for (const auto& [name, text] : texts) {
      const fs::path file = folder / name;
      std::error_code error;
      fs::create_directories(file.parent_path(), error);
      if (error) {
        throw OutputError(fmt::format("cannot make the folder {}: {}", file.parent_path().string(),
                                      error.message()));
      }
      const fs::path unfinished = file.string() + kUnfinished;
      written.push_back(unfinished);
      write_result(text, unfinished.string());
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& file : written) fs::remove(file, ignored);
    throw;
  }
  return written;
}

}  // namespace

BaselineFolder::BaselineFolder(std::string folder)
    : folder_(std::move(folder)), names_(names_in(folder_)) {}

tl::expected<scenario::Tolerances, input::Diagnostics> BaselineFolder::tolerances() const {
  const std::string path = path_of(kTolerances);
  std::error_code error;
  if (!fs::exists(path, error)) return scenario::Tolerances{};
  const auto file = input::load_source(path);
  if (!file) return tl::unexpected(file.error());
  return scenario::read_tolerances(*file);
}

std::string BaselineFolder::name_for(const ScenarioFile& file) const {
  const fs::path path = whole(file.path);
  std::vector<std::string> ends = ends_of(path);
  ends.erase(std::remove_if(ends.begin(), ends.end(),
                            [&](const std::string& end) { return end.size() < file.below.size(); }),
             ends.end());
  for (const std::string& end : ends) {
    if (std::binary_search(names_.begin(), names_.end(), end)) return end;
  }
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const std::string text = path.string();
    const fs::path from = text.substr(0, text.size() - end->size());
    const bool others_are_there =
        std::any_of(names_.begin(), names_.end(),
                    [&](const std::string& name) { return is_file(from / name); });
    if (others_are_there) return *end;
  }
  return file.below;
}

std::string BaselineFolder::path_of(const std::string& name) const {
  return (fs::path(folder_) / name).string();
}

void BaselineFolder::replace(const std::map<std::string, std::string>& texts,
                             const std::vector<std::string>& removed) const {
  std::error_code error;
  for (const fs::path& unfinished : write_temporaries(folder_, texts)) {
    const std::string from = unfinished.string();
    fs::rename(unfinished, from.substr(0, from.size() - std::string_view(kUnfinished).size()),
               error);
    if (error) throw OutputError(fmt::format("cannot rename {}: {}", from, error.message()));
  }
  for (const std::string& name : removed) {
    fs::remove(path_of(name), error);
    if (error) {
      throw OutputError(fmt::format("cannot remove {}: {}", path_of(name), error.message()));
    }
  }
}

std::vector<std::string> without_scenario(const BaselineFolder& folder,
                                          const std::vector<ScenarioFile>& files,
                                          const std::vector<std::string>& names) {
  std::set<std::string> where;  // folders with baselines of a folder's scenarios
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (!files[f].from_folder || !names[f].ends_with(files[f].below)) continue;
    where.insert(names[f].substr(0, names[f].size() - files[f].below.size()));
  }
  std::vector<std::string> gone;
  for (const std::string& name : folder.names()) {
    const bool in_checked_folder =
        std::any_of(where.begin(), where.end(),
                    [&name](const std::string& place) { return name.starts_with(place); });
    const bool has_scenario = std::find(names.begin(), names.end(), name) != names.end();
    if (in_checked_folder && !has_scenario) gone.push_back(name);
  }
  return gone;
}

}  // namespace vgsim::cli
