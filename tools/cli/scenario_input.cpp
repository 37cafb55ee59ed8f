#include "tools/cli/scenario_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/read/overrides.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/version.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using input::Value;
using scenario::Document;

/// A member of a value that may not be an object, as in an edited result.
std::optional<Value> member(const std::optional<Value>& of, std::string_view name) {
  return of && of->is_object() ? input::find(*of, name) : std::nullopt;
}

bool is_result(const Value& document) {
  const auto schema = member(document, "schema");
  return schema && schema->is_string() && scenario::is_result_schema(schema->string());
}

/// Files stored in a saved result, under their original paths.
input::FileLoader loader_of(const std::optional<Value>& manifest, const std::string& path) {
  const auto files = member(manifest, "files");
  const auto file = member(manifest, "scenario_file");
  const std::filesystem::path beside = file && file->is_string() ? file->string() : path;
  return [files, path, folder = beside.parent_path()](
             const std::string& name) -> tl::expected<input::SourcePtr, Diagnostics> {
    const auto text = member(files, name);
    if (text && text->is_string()) {
      return input::make_source((folder / name).string(), text->string());
    }
    Diagnostics missing;
    missing.error("E111", {}, "", fmt::format("{} does not hold the file {}", path, name));
    return tl::unexpected(missing);
  };
}

input::FileLoader noting(input::FileLoader load,
                         std::shared_ptr<std::map<std::string, std::string>> loaded) {
  return [load = std::move(load), loaded = std::move(loaded)](const std::string& name) {
    auto file = load(name);
    if (file) loaded->insert_or_assign(name, (*file)->text);
    return file;
  };
}

}  // namespace

Document with_layouts(const Document& document, const std::string& path,
                      const std::vector<std::string>& names, Diagnostics& diagnostics) {
  if (names.empty()) return document;
  const std::vector<std::string> known = document.layouts();
  std::vector<std::string> kept;
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      kept.push_back(name);
    } else {
      diagnostics.error("E633", {}, "", fmt::format("{} has no layout \"{}\"", path, name),
                        input::one_of(name, known), input::suggest(name, known));
    }
  }
  return kept.empty() ? document : document.with_layouts(kept);
}

tl::expected<ScenarioInput, Diagnostics> read_scenario_input(
    const std::string& path, const std::vector<std::string>& settings,
    const std::vector<std::string>& layouts) {
  const auto file = load_scenario_file(path);
  if (!file) return tl::unexpected(file.error());
  const auto document = input::read_json(*file);
  if (!document) return tl::unexpected(document.error());
  auto read = as_scenario_input((*file)->path, *document, settings);
  if (!read) return read;
  read->text = (*file)->text;
  Diagnostics diagnostics;
  read->document = with_layouts(read->document, read->path, layouts, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  for (const std::string& line : read->matched) write_message(fmt::format("--set {}\n", line));
  return read;
}

tl::expected<ScenarioInput, Diagnostics> as_scenario_input(
    const std::string& path, const Document& given, const std::vector<std::string>& settings) {
  const Value& document = given.value();
  ScenarioInput read{path,
                     {},
                     document,
                     settings,
                     loader_relative_to(path),
                     std::make_shared<std::map<std::string, std::string>>(),
                     {}};
  Diagnostics diagnostics;
  if (is_result(document)) {
    const auto manifest = member(document, "manifest");
    const auto scenario = member(manifest, "scenario");
    if (!scenario || !scenario->is_object()) {
      diagnostics.error("E632", document.location(), "",
                        "this result does not hold the scenario that it is of",
                        "a result of vgsim run --format json");
      return tl::unexpected(diagnostics);
    }
    read.document = *scenario;
    read.load = loader_of(manifest, path);
  }
  read.load = noting(std::move(read.load), read.loaded);
  std::vector<scenario::Override> overrides;
  for (const std::string& setting : settings) {
    auto each = scenario::read_override(setting);
    if (each) {
      overrides.push_back(std::move(*each));
    } else {
      diagnostics.append(each.error());
    }
  }
  if (!diagnostics.has_errors()) {
    read.document = scenario::with_overrides(read.document, overrides, diagnostics, &read.matched);
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return read;
}

scenario::Manifest manifest_of(const ScenarioInput& input, std::optional<std::uint64_t> seed,
                               std::optional<std::uint64_t> draws) {
  return {version(), input.path, input.settings, seed, draws, input.document, *input.loaded};
}

}  // namespace vgsim::cli
