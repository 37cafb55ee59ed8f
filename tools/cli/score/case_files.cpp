#include "tools/cli/score/case_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/cli/config_files.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using input::Diagnostics;
using scoring::CaseKind;

constexpr const char* kNoCase = "E111";

std::string text_of(const input::Value& document, const char* key) {
  const auto value = document.is_object() ? input::find(document, key) : std::nullopt;
  return value && value->is_string() ? value->string() : std::string();
}

/// Without its version: "vgsim.case".
std::string unversioned(const std::string& format) { return format.substr(0, format.find('/')); }

const CaseKind* kind_of_format(const std::string& format) {
  for (const CaseKind& kind : scoring::case_kinds()) {
    if (!kind.is_table() && unversioned(kind.format) == unversioned(format)) return &kind;
  }
  return nullptr;
}

const CaseKind* kind_of_table(const std::string& path) {
  for (const CaseKind& kind : scoring::case_kinds()) {
    if (kind.is_table() && path.ends_with(kind.format)) return &kind;
  }
  return nullptr;
}

std::string case_formats() {
  std::vector<std::string> all;
  for (const CaseKind& kind : scoring::case_kinds()) {
    all.push_back(kind.is_table() ? "tables " + std::string(kind.format) : kind.format);
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

class Finder {
 public:
  explicit Finder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<FoundCases> find(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) find_below(path);
    if (kind_ == nullptr || diagnostics_.has_errors()) return std::nullopt;
    return FoundCases{*kind_, std::move(files_)};
  }

 private:
  void find_below(const std::string& path) {
    std::error_code error;
    const std::size_t before = files_.size();
    if (fs::is_directory(path, error)) {
      for (const std::string& file : json_files_below(path, diagnostics_)) open(file, false);
    } else {
      open(path, true);
    }
    if (files_.size() > before || diagnostics_.has_errors()) return;
    diagnostics_.error(kNoCase, {}, "", fmt::format("no case in \"{}\"", path), case_formats());
  }

  void open(const std::string& path, bool is_named) {
    const auto source = input::load_source(path);
    if (!source) return diagnostics_.append(source.error());
    if (const CaseKind* kind = kind_of_table(path)) return add(*kind, *source, path);
    const auto document = input::read_json(*source);
    if (!document) return diagnostics_.append(document.error());
    const std::string format = text_of(*document, "format");
    if (const CaseKind* kind = kind_of_format(format)) return add(*kind, *source, path);
    const bool states_its_kind = !format.empty() || !text_of(*document, "$schema").empty();
    if (!is_named && states_its_kind) return;
    diagnostics_.error(kNoCase, document->origin().location, "/format",
                       format.empty() ? "the file does not state its format"
                                      : fmt::format("\"{}\" is not the format of a case", format),
                       case_formats());
  }

  void add(const CaseKind& kind, const input::SourcePtr& source, const std::string& path) {
    if (kind_ == nullptr) kind_ = &kind;
    files_.push_back({source, loader_relative_to(path)});
    if (kind_ == &kind) return;
    diagnostics_.error(
        kNoCase, {}, "",
        fmt::format("\"{}\" is of {}, other files are of {}", path, kind.name, kind_->name),
        "one kind of case: kinds are scored apart");
  }

  Diagnostics& diagnostics_;
  const CaseKind* kind_ = nullptr;
  std::vector<scoring::CaseFile> files_;
};

}  // namespace

std::vector<std::string> json_files_below(const std::string& dir, Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(dir, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".json" && !entry->is_directory(error)) {
      files.push_back(entry->path().string());
    }
  }
  if (error) {
    diagnostics.error(kNoCase, {}, "",
                      fmt::format("cannot read the folder \"{}\": {}", dir, error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<FoundCases> find_cases(const std::vector<std::string>& paths,
                                     Diagnostics& diagnostics) {
  return Finder(diagnostics).find(paths);
}

}  // namespace vgsim::cli
