#include "tools/cli/commands/studio_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <list>
#include <nlohmann/json.hpp>
#include <system_error>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/catalog/kinds.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/import/cluster_import.hpp"
#include "tools/cli/import/import_trace.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/new/fitting_scenario.hpp"
#include "tools/cli/new/questions.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/files/temporary.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"

// The commands `new` and `import` without their files: what they would write is opened.

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using input::Diagnostics;
using nlohmann::ordered_json;
using scenario::Document;
using studio::ImportedFiles;
using studio::Opening;
using studio::SentFile;
template <class T>
using Read = studio::Sources::Read<T>;
using Answers = std::map<std::string, std::string>;

tl::unexpected<std::string> unread(const Diagnostics& diagnostics) {
  return tl::unexpected(input::render(diagnostics));
}

/// Sessions are named by their path, shipped scenarios by their name; no other file is read.
Read<Opening> stored(const std::string& name, const scenario::Library& library) {
  std::string path = name;
  if (name.find('/') == name.npos) {
    const auto shipped = shipped_scenarios();
    const auto found = shipped.find(name);
    if (found == shipped.end()) {
      return tl::unexpected(fmt::format("there is no shipped scenario \"{}\"", name));
    }
    path = found->second.string();
  }
  auto opening = stored_opening(path, library);
  if (!opening) return unread(opening.error());
  return *std::move(opening);
}

Read<Opening> created(const Answers& answers, const scenario::Library& library) {
  const ScenarioRequest request = answered_request(answers);
  const auto plan = plan_of(request, library);
  if (!plan) return unread(plan.error());
  const auto text = fitting_scenario(*plan, request, library, {});
  if (!text) return tl::unexpected("the scenario cannot run:\n" + text.error());
  const auto document = Document::parse(input::make_source("the new scenario", *text));
  if (!document) return unread(document.error());
  return Opening{plan->name, *document, {}};
}

/// The entries of a kind as choices, by name.
ordered_json choices_of(const std::string& kind, const scenario::Library& library) {
  ordered_json choices = ordered_json::array();
  const auto kinds = catalog::all_kinds(library, config_dir());
  if (!kinds) return choices;
  for (const catalog::Kind& each : *kinds) {
    if (each.name != kind) continue;
    for (const catalog::Entry& entry : each.entries) {
      const auto& others = entry.names.others;
      choices.push_back({{"value", entry.names.name},
                         {"label", others.empty() ? std::string() : others.front()}});
    }
  }
  return choices;
}

ordered_json form(const Answers& answers, const scenario::Library& library) {
  static const std::map<std::string, ordered_json> kChoices{
      {"server", choices_of("servers", library)},
      {"network", choices_of("networks", library)},
      {"nic", choices_of("nics", library)}};
  const ScenarioRequest request = answered_request(answers);
  const auto plan = plan_of(request, library);
  const std::string problem = plan ? std::string() : input::render(plan.error());
  ordered_json fields = ordered_json::array();
  for (const FormField& field : form_fields(request, library)) {
    ordered_json each{{"name", field.name}, {"label", field.label}, {"usual", field.usual}};
    if (const auto found = kChoices.find(field.name); found != kChoices.end()) {
      each["choices"] = found->second;
    }
    if (field.name == "layout") {
      for (const char* word : {"passthrough", "vgpu", "mig", "both", "all"}) {
        each["choices"].push_back({{"value", word}, {"label", ""}});
      }
    }
    fields.push_back(std::move(each));
  }
  return {{"fields", fields}, {"problem", problem}};
}

ordered_json gallery() {
  ordered_json all = ordered_json::array();
  for (const auto& [name, path] : shipped_scenarios()) {
    const auto document = input::load_source(path.string()).and_then(input::read_json);
    if (!document) continue;
    const Document scenario(*document);
    all.push_back({{"name", name},
                   {"title", scenario.text("name")},
                   {"about", scenario.text("description")},
                   {"group", path.parent_path().filename().string()}});
  }
  return all;
}

/// A scenario or a saved result, if a single file is one.
std::optional<Opening> as_scenario(const std::vector<SentFile>& files) {
  if (files.size() != 1 || format_of(files.front().bytes) != nullptr) return std::nullopt;
  const SentFile& file = files.front();
  const auto document = input::read_json(input::make_source(file.name, file.bytes));
  if (!document) return std::nullopt;
  return studio::opening_of(Document(*document), fs::path(file.name).stem().string());
}

/// The scenario among the files of an import, and the topology files that it names.
Read<Opening> opening_of_import(const ClusterImport& import, const std::string& scenario) {
  Opening opening{"imported", {}, {}};
  for (const ImportedText& file : import.files()) {
    if (file.path != scenario) {
      opening.files[*file.path] = file.text;
      continue;
    }
    const auto document = Document::parse(input::make_source("the imported scenario", file.text));
    if (!document) return unread(document.error());
    opening.document = *document;
  }
  return opening;
}

/// Writes a file that is removed again. Throws std::system_error.
void write(const files::Temporary& temporary, const std::string& bytes) {
  std::ofstream file(temporary.name(), std::ios::binary);
  if (file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) return;
  throw std::system_error(errno, std::generic_category(), temporary.name());
}

/// The job in traces, by way of temporary files: their reader unpacks files.
Read<ImportedFiles> traced(const std::vector<SentFile>& files, const scenario::Library& library) {
  try {
    const std::string folder = fs::temp_directory_path().string();
    std::list<files::Temporary> written;
    ImportOptions options;
    std::vector<std::string> names;
    for (const SentFile& file : files) {
      written.emplace_back(files::temporary_name(folder + "/vgsim-trace"));
      write(written.back(), file.bytes);
      options.files.push_back(written.back().name());
      names.push_back(file.name);
    }
    ImportNotes notes;
    const auto network = traced_network(options, names, library, notes);
    ImportedFiles result;
    if (!network) return unread(network.error());
    result.job =
        studio::TracedJob{traced_name(names.front()) + ".json", network->network, network->job};
    for (auto& [heading, text] : notes.lines()) result.notes.push_back({heading, text});
    result.notes.push_back(
        {"job", fmt::format("the open scenario trains {}, with batch and precision of the trace",
                            traced_name(names.front()))});
    return result;
  } catch (const std::system_error& error) {
    return tl::unexpected(fmt::format("cannot write a temporary file: {}", error.what()));
  }
}

Read<ImportedFiles> imported(const std::vector<SentFile>& files, const scenario::Library& library) {
  if (files.empty()) return tl::unexpected(std::string("no file was sent"));
  if (auto opening = as_scenario(files)) return ImportedFiles{std::move(opening), {}, {}};
  const auto is_trace = [](const SentFile& file) { return begins_like_trace(file.bytes); };
  if (std::ranges::all_of(files, is_trace)) return traced(files, library);
  std::vector<input::SourcePtr> sources;
  for (const SentFile& file : files) sources.push_back(input::make_source(file.name, file.bytes));
  auto inventories = inventories_of(sources);
  if (!inventories) return unread(inventories.error());
  auto planned = planned_part(*inventories);
  if (!planned) return unread(planned.error());
  ImportOptions options;
  options.scenario = "imported.json";
  options.force = true;  // nothing is written
  ClusterImport import(options, *std::move(inventories), *std::move(planned));
  ImportedFiles result;
  if (import.has_machines()) {
    if (auto problem = import.make()) return tl::unexpected(*problem);
    auto opening = opening_of_import(import, *options.scenario);
    if (!opening) return tl::unexpected(opening.error());
    result.opening = *std::move(opening);
  }
  for (auto& [heading, text] : import.notes().lines()) result.notes.push_back({heading, text});
  const std::string warnings = input::render(import.warnings());
  if (!warnings.empty()) result.notes.push_back({"warning", warnings});
  return result;
}

}  // namespace

tl::expected<Opening, Diagnostics> stored_opening(const std::string& path,
                                                  const scenario::Library& library) {
  const auto input = read_scenario_input(path, {});
  if (!input) return tl::unexpected(input.error());
  // Reads all files that its layouts name.
  const auto valid = scenario::validate_scenario(input->document, library, input->load);
  if (!valid) return tl::unexpected(valid.error());
  return Opening{fs::path(input->path).stem().string(), input->document, *input->loaded};
}

studio::Sources studio_sources(const scenario::Library& library) {
  studio::Sources sources;
  sources.stored = [&library](const std::string& name) { return stored(name, library); };
  sources.created = [&library](const Answers& answers) { return created(answers, library); };
  sources.imported = [&library](const std::vector<SentFile>& files) {
    return imported(files, library);
  };
  sources.form = [&library](const Answers& answers) { return form(answers, library); };
  sources.gallery = gallery;
  return sources;
}

}  // namespace vgsim::cli
