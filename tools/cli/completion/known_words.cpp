#include "tools/cli/completion/known_words.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tools/cli/config_files.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/import/imported.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli::completion {
namespace {

using topology::names_of;

/// The kinds of files that have a schema, by the files in schema/.
std::vector<std::string> schema_kinds(const std::string& config_dir) {
  constexpr std::string_view kEnding = ".schema.json";
  std::vector<std::string> kinds;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(config_dir + "/schema", error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kEnding)) kinds.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

std::vector<std::string> format_words() {
  std::vector<std::string> words;
  for (const ImportFormat& format : import_formats()) words.emplace_back(format.word);
  return words;
}

void add_catalog(const topology::Catalog& catalog, WordTable& table) {
  for (const auto& [kind, document] : catalog.documents) {
    const input::Value entries = *input::find(document, "entries");
    for (const auto& entry : entries.members()) {
      table["catalog 1"].after[kind].push_back(entry.name);
    }
  }
  table["--against"].always = names_of(catalog.servers);
}

}  // namespace

WordTable known_words(const std::string& config_dir) {
  WordTable table;
  table["catalog 0"].always = topology::catalog_kinds();
  table["schema 0"].always = schema_kinds(config_dir);
  table["show --kind"].always = table["export --kind"].always = format_words();
  table["import --kind"].always = format_words();
  table["import --kind"].always.emplace_back("trace");
  const auto library = load_library(config_dir);
  if (library) {
    add_catalog(library->catalog, table);
    table["--calibration"].always = names_of(library->calibrations);
    table["explain 0"].always = names_of(library->vsphere.rules);
  }
  if (const auto errors = load_error_explanations(config_dir)) {
    auto& words = table["explain 0"].always;
    for (const auto& [code, error] : *errors) words.push_back(code);
  }
  return table;
}

}  // namespace vgsim::cli::completion
