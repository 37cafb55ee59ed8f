#include "tools/cli/check/scenario_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tools/cli/config_files.hpp"
#include "tools/cli/score/case_files.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using input::Value;

constexpr std::string_view kSchemaEnd = ".schema.json";

bool is_scenario(const Value& document) {
  const auto kind = declared_kind(document);
  if (kind) return *kind == "scenario";
  return document.member("hosts") != nullptr && document.member("job") != nullptr;
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? path : whole.string();
}

class Finder {
 public:
  Finder(const std::optional<std::string>& left_out, input::Diagnostics& diagnostics)
      : diagnostics_(diagnostics) {
    if (left_out) left_out_ = canonical(*left_out) + "/";
  }

  void add(const std::string& word) {
    const std::string path = scenario_path(word);
    std::error_code error;
    if (!fs::is_directory(path, error)) return add_file(path, fs::path(path).filename(), true);
    const std::size_t before = seen_.size();
    for (const std::string& file : json_files_below(path, diagnostics_)) {
      if (!left_out_.empty() && canonical(file).starts_with(left_out_)) continue;
      add_file(file, fs::path(file).lexically_relative(path), false);
    }
    if (seen_.size() > before) return;
    diagnostics_.error(input::codes::kUnreadable.code, {}, "",
                       fmt::format("no scenario in \"{}\"", path),
                       "files *.json that name scenario.schema.json as their \"$schema\"");
  }

  FoundFiles found;

 private:
  void add_file(const std::string& path, const fs::path& below, bool is_given) {
    ScenarioFile file{path, below.generic_string(), !is_given, std::nullopt, std::nullopt, {}};
    const auto source = input::load_input(path);
    const auto document =
        source ? input::read_json(*source)
               : tl::expected<Value, input::Diagnostics>(tl::unexpected(source.error()));
    if (document && !is_given && !is_scenario(*document)) {
      found.others.push_back({path, declared_kind(*document).value_or("")});
      return;
    }
    if (!seen_.insert(canonical(path)).second) return;
    if (document) {
      file.document = *document;
    } else {
      file.errors = document.error();
    }
    found.scenarios.push_back(std::move(file));
  }

  input::Diagnostics& diagnostics_;
  std::string left_out_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<std::string> declared_kind(const Value& document) {
  if (const auto* schema = document.member("$schema"); schema && schema->value.is_string()) {
    const std::string& path = schema->value.string();
    const std::string name = path.substr(path.find_last_of('/') + 1);
    if (name.ends_with(kSchemaEnd)) return name.substr(0, name.size() - kSchemaEnd.size());
  }
  for (const char* key : {"schema", "format"}) {
    const auto* said = document.member(key);
    if (said != nullptr && said->value.is_string()) return said->value.string();
  }
  return std::nullopt;
}

FoundFiles find_scenarios(const std::vector<std::string>& paths,
                          const std::optional<std::string>& left_out,
                          input::Diagnostics& diagnostics) {
  Finder finder(left_out, diagnostics);
  for (const std::string& path : paths) finder.add(path);
  return std::move(finder.found);
}

std::string others_text(const std::vector<OtherFile>& others) {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const OtherFile& other : others) by_kind[other.kind].push_back(other.path);
  std::string text;
  for (const auto& [kind, paths] : by_kind) {
    text +=
        fmt::format("left out: {}{}: {}\n", paths.front(),
                    paths.size() > 1 ? fmt::format(" and {} more", paths.size() - 1) : "",
                    kind.empty() ? "no scenario" : fmt::format("no scenario, but \"{}\"", kind));
  }
  return text;
}

}  // namespace vgsim::cli
