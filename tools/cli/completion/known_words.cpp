#include "tools/cli/completion/known_words.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tools/catalog/kinds.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/text/help_topics.hpp"

namespace vgsim::cli::completion {
namespace {

using topology::names_of;

/// The kinds of files with a schema in schema/.
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

void add_catalog(const scenario::Library& library, const std::string& config_dir,
                 WordTable& table) {
  if (const auto kinds = catalog::all_kinds(library, config_dir)) {
    for (const catalog::Kind& kind : *kinds) {
      table["catalog 0"].always.push_back(kind.name);
      auto& names = table["catalog 1"].after[kind.name];
      for (const catalog::Entry& entry : kind.entries) names.push_back(entry.names.name);
    }
  }
  const auto servers = names_of(library.catalog->servers);
  table["--against"].always = table["show 0"].always = table["new --server"].always = servers;
  table["new --gpus"].always = names_of(library.catalog->gpus);
  table["new --nic"].always = names_of(library.catalog->nics);
  table["new --network"].always = library.networks->names();
  table["new --profile"].always = library.vsphere->profiles.names();
}

}  // namespace

WordTable known_words(const std::string& config_dir) {
  WordTable table;
  table["schema 0"].always = schema_kinds(config_dir);
  table["show --kind"].always = table["export --kind"].always = format_words();
  table["import --kind"].always = format_words();
  table["import --kind"].always.emplace_back("trace");
  table["new --layout"].always = {"passthrough", "vgpu", "mig", "both", "all"};
  table["new --parallel"].always = {"fsdp", "ddp", "zero1", "zero2", "zero3"};
  table["new --vsphere"].always = vsphere::Versions::words();
  for (const HelpTopic& topic : help_topics(config_dir)) {
    table["help 0"].always.push_back(topic.name);
  }
  const auto library = load_library(config_dir);
  if (library) {
    add_catalog(*library, config_dir, table);
    table["--calibration"].always = names_of(library->calibrations);
    table["explain 0"].always = names_of(library->vsphere->rules);
  }
  if (const auto errors = load_error_explanations(config_dir)) {
    auto& words = table["explain 0"].always;
    for (const auto& [code, error] : *errors) words.push_back(code);
  }
  return table;
}

}  // namespace vgsim::cli::completion
