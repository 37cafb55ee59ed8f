#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

using input::find;
using input::Value;

std::string value_text(const Value& value) {
  return value.is_string() ? value.string() : input::to_canonical_string(value);
}

/// A value with its source, or whatever else an entry holds.
bool is_sourced(const Value& value) {
  return value.member("value") != nullptr && value.member("source") != nullptr;
}

std::string spread_text(const Value& value) {
  const auto low = find(value, "low");
  const auto high = find(value, "high");
  if (!low && !high) return {};
  return fmt::format(" ({} to {})", low ? value_text(*low) : "?", high ? value_text(*high) : "?");
}

std::string source_text(const Value& sources, const Value& value) {
  const auto key = find(value, "source");
  return key ? topology::describe_source(sources, input::as_string(*key)) : std::string();
}

std::string kinds_text(const topology::Catalog& catalog) {
  Table table;
  for (const std::string& kind : topology::catalog_kinds()) {
    const auto count = find(catalog.documents.at(kind), "entries")->members().size();
    table.add_row({kind, fmt::format("{}", count)});
  }
  return table.text() + "\nvgsim catalog KIND lists them, vgsim catalog KIND NAME shows one.\n";
}

std::string entries_text(const Value& document) {
  std::string text;
  std::size_t width = 0;
  const Value entries = *find(document, "entries");
  for (const auto& entry : entries.members()) width = std::max(width, entry.name.size());
  for (const auto& [name, key, entry] : entries.members()) {
    text += fmt::format("{:<{}}  {}\n", name, width, input::as_string(*find(entry, "name")));
  }
  return text;
}

/// "socket 0, lanes 16 [source key]": the members of an object but for its source and note.
std::string members_text(const Value& object) {
  std::string text;
  for (const auto& [key, location, value] : object.members()) {
    if (key == "source" || key == "note") continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value_text(value));
  }
  const auto source = find(object, "source");
  return source ? fmt::format("{} [{}]", text, value_text(*source)) : text;
}

/// Parts of a server: one line for each slot, switch or root complex.
std::string structure_text(const Value& value) {
  std::string text;
  const auto add = [&](const std::string& name, const Value& part) {
    text += fmt::format("      {:<8}  {}\n", name,
                        part.is_object() ? members_text(part) : value_text(part));
  };
  const auto is_part = [](const auto& member) { return member.value.is_object(); };
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      add(fmt::format("{}", i), value.elements()[i]);
    }
  } else if (std::all_of(value.members().begin(), value.members().end(), is_part)) {
    for (const auto& [name, location, part] : value.members()) add(name, part);
  } else {
    text = fmt::format("      {}\n", members_text(value));
  }
  return text;
}

/// The sources that a structure refers to by their keys.
void collect_sources(const Value& value, std::set<std::string>& keys) {
  if (value.is_array()) {
    for (const Value& element : value.elements()) collect_sources(element, keys);
  } else if (value.is_object()) {
    if (const auto source = find(value, "source")) keys.insert(value_text(*source));
    for (const auto& member : value.members()) collect_sources(member.value, keys);
  }
}

std::string entry_text(const Value& document, const std::string& name) {
  const Value sources = *find(document, "sources");
  const Value entry = find(document, "entries")->member(name)->value;
  std::string text = fmt::format("{}: {}\n\n", name, input::as_string(*find(entry, "name")));
  std::set<std::string> structure_sources;
  for (const auto& [key, location, value] : entry.members()) {
    if (key == "name") continue;
    if (!is_sourced(value)) {
      text += fmt::format("  {}\n{}", key, structure_text(value));
      collect_sources(value, structure_sources);
      continue;
    }
    text +=
        fmt::format("  {:<24}  {}{}\n", key, value_text(*find(value, "value")), spread_text(value));
    text += fmt::format("      {}\n", wrap(source_text(sources, value), 6));
    if (const auto note = find(value, "note")) {
      text += fmt::format("      {}\n", wrap("note: " + input::as_string(*note), 6));
    }
  }
  for (const std::string& key : structure_sources) {
    text +=
        fmt::format("  [{}]\n      {}\n", key, wrap(topology::describe_source(sources, key), 6));
  }
  return text;
}

int unknown(const char* what, const std::string& word, const std::vector<std::string>& known) {
  const auto near = input::suggest(word, known);
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  write_message(fmt::format("vgsim: unknown {} \"{}\"{}\n{}\n", what, word,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0]),
                            wrap("known: " + list, 7)));
  return kBadInput;
}

/// The part of the catalogue files that was asked for, as JSON.
std::string json_text(const topology::Catalog& catalog, const Options& options) {
  if (options.kind.empty()) {
    std::string text;
    for (const std::string& kind : topology::catalog_kinds()) {
      text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",", kind,
                          input::to_canonical_string(catalog.documents.at(kind)));
    }
    return text + "}\n";
  }
  const Value& document = catalog.documents.at(options.kind);
  if (options.name.empty()) return input::to_canonical_string(document) + "\n";
  return fmt::format(
      "{{\"entry\":{},\"sources\":{}}}\n",
      input::to_canonical_string(find(document, "entries")->member(options.name)->value),
      input::to_canonical_string(*find(document, "sources")));
}

}  // namespace

int catalog_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) {
    write_message(input::render(library.error()));
    return kBadInput;
  }
  const topology::Catalog& catalog = library->catalog;
  const auto& kinds = topology::catalog_kinds();
  if (!options.kind.empty() && !catalog.documents.contains(options.kind)) {
    return unknown("kind", options.kind, kinds);
  }
  if (!options.name.empty()) {
    const Value entries = *find(catalog.documents.at(options.kind), "entries");
    std::vector<std::string> names;
    for (const auto& entry : entries.members()) names.push_back(entry.name);
    if (entries.member(options.name) == nullptr) return unknown("part", options.name, names);
  }
  std::string text;
  if (options.format == Format::kJson) {
    text = json_text(catalog, options);
  } else if (options.kind.empty()) {
    text = kinds_text(catalog);
  } else if (options.name.empty()) {
    text = entries_text(catalog.documents.at(options.kind));
  } else {
    text = entry_text(catalog.documents.at(options.kind), options.name);
  }
  write_result(text, options.out);
  return kDone;
}

}  // namespace vgsim::cli
