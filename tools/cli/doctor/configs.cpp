#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "models/calibration/calibration.hpp"
#include "models/calibration/read/calibration_file.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/doctor/check.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/score/case_files.hpp"
#include "tools/text/words.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli::doctor {
namespace {

namespace fs = std::filesystem;
using input::Diagnostics;
using input::Value;

constexpr const char* kRestore =
    "restore the folder from the release of vgsim that you use, or set VGSIM_CONFIGS to one";

/// "gpus.json:3: unknown key "x", and 2 more".
std::string first_of(const Diagnostics& diagnostics) {
  const auto items = diagnostics.items();
  if (items.empty()) return {};
  const input::Diagnostic& first = items.front();
  std::string text = first.location.source ? first.location.source->path + ": " : std::string();
  text += fmt::format("{} {}", first.code, first.message);
  if (items.size() > 1) text += fmt::format(", and {} more", items.size() - 1);
  return text;
}

/// The newest date of a source or file, as "2026-11-22"; such dates sort as text.
void take_newest_date(const Value& value, std::string& newest) {
  if (value.is_array()) {
    for (const Value& element : value.elements()) take_newest_date(element, newest);
  } else if (value.is_object()) {
    for (const auto& [name, key, member] : value.members()) {
      const bool is_date = name == "date" && member.is_string() && member.string().size() == 10;
      if (is_date) newest = std::max(newest, member.string());
      take_newest_date(member, newest);
    }
  }
}

struct Files {
  std::size_t read = 0;
  Diagnostics errors;
  std::string newest;
};

Files read_all(const std::string& config_dir) {
  Files files;
  for (const std::string& path : json_files_below(config_dir, files.errors)) {
    const auto source = input::load_source(path);
    if (!source) {
      files.errors.append(source.error());
      continue;
    }
    const auto document = input::read_json(*source);
    if (!document) {
      files.errors.append(document.error());
      continue;
    }
    ++files.read;
    take_newest_date(*document, files.newest);
  }
  return files;
}

/// Errors of parts of the library that are read only if a scenario names them.
Diagnostics errors_of_calibrations(const scenario::Library& library) {
  Diagnostics errors;
  for (const auto& [name, source] : library.calibrations) {
    const auto read = calibration::read_calibration(source);
    if (!read) errors.append(read.error());
  }
  return errors;
}

std::string content_of(const scenario::Library& library) {
  std::size_t entries = 0;
  for (const auto& [kind, names] : library.catalog->names) entries += names.size();
  return fmt::format("{} of {} kinds, {}, {}, {}, NCCL {} to {}", text::plural(entries, "part"),
                     library.catalog->names.size(),
                     text::plural(library.vsphere->rules.size(), "rule"),
                     text::plural(library.networks->names().size(), "network"),
                     text::plural(library.calibrations.size(), "calibration"),
                     collectives::nccl::to_string(library.nccl.front().constants.release),
                     collectives::nccl::to_string(library.nccl.back().constants.release));
}

Check check_content(const std::string& config_dir) {
  const auto library = load_library(config_dir);
  if (!library) return {State::kWrong, "content", first_of(library.error()), kRestore};
  Diagnostics errors = errors_of_calibrations(*library);
  const auto explanations = load_error_explanations(config_dir);
  if (!explanations) errors.append(explanations.error());
  if (errors.has_errors()) return {State::kWrong, "content", first_of(errors), kRestore};
  return {State::kOk, "content", content_of(*library), {}};
}

}  // namespace

std::vector<Check> check_configs(const std::string& config_dir) {
  std::error_code error;
  const char* set = std::getenv("VGSIM_CONFIGS");
  const std::string where = fmt::format("{}{}", fs::weakly_canonical(config_dir, error).string(),
                                        set == nullptr ? "" : " (VGSIM_CONFIGS)");
  if (!fs::is_directory(config_dir, error)) {
    return {{State::kWrong, "configs folder", fmt::format("{} is not a folder", where), kRestore}};
  }
  const Files files = read_all(config_dir);
  std::vector<Check> checks;
  if (files.errors.has_errors()) {
    checks.push_back({State::kWrong, "configs folder",
                      fmt::format("{}: {}", where, first_of(files.errors)), kRestore});
  } else {
    checks.push_back(
        {State::kOk,
         "configs folder",
         fmt::format("{}: {} can be read", where, text::plural(files.read, "JSON file")),
         {}});
  }
  checks.push_back(check_content(config_dir));
  if (!files.newest.empty()) {
    checks.push_back({State::kOk, "newest figures", files.newest, {}});
  }
  return checks;
}

}  // namespace vgsim::cli::doctor
