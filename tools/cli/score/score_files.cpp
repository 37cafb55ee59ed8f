#include "tools/cli/score/score_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "models/calibration/measurement.hpp"
#include "models/calibration/read/calibration_file.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

/// Whether the document says by its "$schema" or its "format" that it is no case.
bool is_something_else(const input::Value& document) {
  if (!document.is_object()) return false;
  const auto format = input::find(document, "format");
  if (format && format->is_string() &&
      (format->string() == calibration::kMeasurementFormat ||
       format->string() == calibration::kCalibrationFormat)) {
    return true;
  }
  const auto schema = input::find(document, "$schema");
  if (!schema || !schema->is_string()) return false;
  const std::string name = schema->string().substr(schema->string().find_last_of('/') + 1);
  return name.ends_with(".schema.json") && name != "case.schema.json";
}

/// Reads one file; says whether it counts as a case, sound or not.
bool read_case_file(const std::string& path, bool is_named, std::vector<CaseFile>& cases,
                    input::Diagnostics& diagnostics) {
  const auto file = input::load_source(path);
  const auto document =
      file ? input::read_json(*file)
           : tl::expected<input::Value, input::Diagnostics>(tl::unexpected(file.error()));
  if (!document) {
    diagnostics.append(document.error());
    return true;
  }
  if (!is_named && is_something_else(*document)) return false;
  auto measured = scenario::read_case(*document);
  if (measured) {
    cases.push_back({std::move(*measured), loader_beside(path)});
  } else {
    diagnostics.append(measured.error());
  }
  return true;
}

void check_ids(const std::vector<CaseFile>& cases, input::Diagnostics& diagnostics) {
  std::map<std::string, input::Origin> first;
  for (const CaseFile& file : cases) {
    const input::Origin& at = file.measured.origin;
    const auto [it, is_new] = first.emplace(file.measured.id, at);
    if (is_new) continue;
    topology::report(diagnostics, at,
                     fmt::format("the id \"{}\" stands twice; the other is in {}", file.measured.id,
                                 it->second.location.source->path));
  }
}

}  // namespace

std::vector<std::string> json_files_below(const std::string& dir, input::Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(dir, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".json" && !entry->is_directory(error)) {
      files.push_back(entry->path().string());
    }
  }
  if (error) {
    diagnostics.error("E111", {}, "",
                      fmt::format("cannot read the folder \"{}\": {}", dir, error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<CaseFile> read_case_files(const std::vector<std::string>& paths,
                                      input::Diagnostics& diagnostics) {
  std::vector<CaseFile> cases;
  for (const std::string& path : paths) {
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    std::size_t found = 0;
    const auto files =
        is_folder ? json_files_below(path, diagnostics) : std::vector<std::string>{path};
    for (const std::string& file : files) {
      found += read_case_file(file, !is_folder, cases, diagnostics) ? 1U : 0U;
    }
    if (found == 0) {
      diagnostics.error("E111", {}, "", fmt::format("no case in \"{}\"", path),
                        "files *.json of format vgsim.case/1");
    }
  }
  check_ids(cases, diagnostics);
  return cases;
}

std::vector<input::SourcePtr> files_of_format(const std::vector<std::string>& paths,
                                              const std::string& format,
                                              input::Diagnostics& diagnostics) {
  std::vector<input::SourcePtr> found;
  for (const std::string& path : paths) {
    std::error_code error;
    const auto files = std::filesystem::is_directory(path, error)
                           ? json_files_below(path, diagnostics)
                           : std::vector<std::string>{path};
    for (const std::string& file : files) {
      const auto source = input::load_source(file);
      const bool names_it = source && (*source)->text.find(format) != std::string::npos;
      if (names_it) found.push_back(*source);
    }
  }
  return found;
}

}  // namespace vgsim::cli
