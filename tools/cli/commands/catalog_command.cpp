#include "tools/cli/commands/catalog_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "tools/catalog/entry_text.hpp"
#include "tools/catalog/kinds.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/table.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCatalogFooter = R"(
Examples:
  vgsim catalog gpus h100
  vgsim catalog servers dell-r750xa
  vgsim catalog bert)";

using EntryList = std::vector<const catalog::Entry*>;

/// EntryList of a kind that were found.
struct FoundEntries {
  const catalog::Kind* kind = nullptr;
  EntryList entries;
};

std::string catalog_kinds_text(const std::vector<catalog::Kind>& kinds) {
  std::string text;
  for (const catalog::Kind& kind : kinds) {
    text += fmt::format("{:<13} {:>4}  {}\n", kind.name, kind.entries.size(), kind.about);
  }
  return text + "\nvgsim catalog KIND lists them, vgsim catalog KIND NAME shows one.\n";
}

std::string entry_list_text(const EntryList& entries, std::size_t indent) {
  std::size_t width = 0;
  for (const catalog::Entry* entry : entries) width = std::max(width, entry->names.name.size());
  std::string text;
  for (const catalog::Entry* entry : entries) {
    const auto& [name, others] = entry->names;
    std::string line = fmt::format("{:{}}{:<{}}  {}", "", indent, name, width,
                                   others.empty() ? "" : others.front());
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

EntryList all_entries(const catalog::Kind& kind) {
  EntryList entries;
  for (const catalog::Entry& entry : kind.entries) entries.push_back(&entry);
  return entries;
}

/// "gpus" or "gpu".
const catalog::Kind* named_kind(const std::vector<catalog::Kind>& kinds, const std::string& word) {
  for (const catalog::Kind& kind : kinds) {
    if (kind.name == word || kind.name == word + "s" || kind.name == word + "es") return &kind;
  }
  return nullptr;
}

std::string found_entries_text(const std::vector<FoundEntries>& found) {
  if (found.size() == 1) {
    const FoundEntries& only = found.front();
    return only.entries.size() == 1 ? catalog::entry_text(*only.entries.front())
                                    : entry_list_text(only.entries, 0);
  }
  std::string text;
  for (const auto& [kind, entries] : found) {
    text +=
        fmt::format("{}{}\n{}", text.empty() ? "" : "\n", kind->name, entry_list_text(entries, 2));
  }
  return text;
}

std::string catalog_entry_json(const catalog::Entry& entry) {
  return fmt::format("{{\"entry\":{},\"sources\":{}}}", input::to_canonical_string(entry.value),
                     input::to_canonical_string(entry.sources));
}

/// A single entry itself; several by kind and name.
std::string found_entries_json(const std::vector<FoundEntries>& found) {
  if (found.size() == 1 && found.front().entries.size() == 1) {
    return catalog_entry_json(*found.front().entries.front()) + "\n";
  }
  std::vector<std::string> kinds;
  for (const auto& [kind, entries] : found) {
    std::vector<std::string> texts;
    for (const catalog::Entry* entry : entries) {
      texts.push_back(input::to_json_string(entry->names.name) + ":" + catalog_entry_json(*entry));
    }
    kinds.push_back(fmt::format("\"{}\":{{{}}}", kind->name, fmt::join(texts, ",")));
  }
  return fmt::format("{{{}}}\n", fmt::join(kinds, ","));
}

std::string catalog_kinds_json(const std::vector<catalog::Kind>& kinds) {
  std::vector<std::string> texts;
  for (const catalog::Kind& kind : kinds) {
    texts.push_back(fmt::format("\"{}\":{}", kind.name, input::to_canonical_string(kind.document)));
  }
  return fmt::format("{{{}}}\n", fmt::join(texts, ","));
}

int report_unknown_entry(const catalog::Kind* kind, const std::string& text,
                         const std::vector<catalog::Kind>& kinds) {
  std::vector<std::string> known;
  for (const catalog::Kind& each : kinds) {
    if (kind != nullptr && kind != &each) continue;
    if (kind == nullptr) known.push_back(each.name);
    for (const catalog::Entry& entry : each.entries) known.push_back(entry.names.name);
  }
  const auto near = input::suggest(text, known);
  write_message(fmt::format(
      "vgsim: {} \"{}\"{}\nvgsim catalog{} lists what there is.\n",
      kind == nullptr ? "nothing in the catalogue is called"
                      : fmt::format("none of the {} is called", kind->name),
      text, near.empty() ? "" : fmt::format("; did you mean \"{}\"?", fmt::join(near, "\" or \"")),
      kind == nullptr ? "" : " " + kind->name));
  return kBadInput;
}

}  // namespace

CLI::App* add_catalog_command(CLI::App& app, CatalogOptions& options) {
  CLI::App* command = app.add_subcommand(
      "catalog", "list and show what scenarios name: parts, profiles, networks, rules ...");
  command->add_option("kind", options.kind, "kind, such as gpus; or words of a name of any kind")
      ->type_name("KIND");
  command->add_option("name", options.names, "words of a name")->type_name("NAME");
  add_format_option(*command, options.format);
  add_out_option(*command, options.out);
  command->footer(kCatalogFooter);
  return command;
}

int catalog_command(const CatalogOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto kinds = catalog::all_kinds(*library, config_dir());
  if (!kinds) return report_errors(kinds.error());
  const bool json = options.format == Format::kJson;
  if (options.kind.empty()) {
    write_result(json ? catalog_kinds_json(*kinds) : catalog_kinds_text(*kinds), options.out);
    return kDone;
  }
  const catalog::Kind* kind = named_kind(*kinds, options.kind);
  if (kind != nullptr && options.names.empty()) {
    write_result(json ? input::to_canonical_string(kind->document) + "\n"
                      : entry_list_text(all_entries(*kind), 0),
                 options.out);
    return kDone;
  }
  const std::string text = kind == nullptr && options.names.empty()
                               ? options.kind
                               : fmt::format("{}{}", kind == nullptr ? options.kind + " " : "",
                                             fmt::join(options.names, " "));
  std::vector<FoundEntries> found;
  for (const catalog::Kind& each : *kinds) {
    if (kind != nullptr && kind != &each) continue;
    FoundEntries here{&each, catalog::meant_entries(each, text)};
    if (!here.entries.empty()) found.push_back(std::move(here));
  }
  if (found.empty()) return report_unknown_entry(kind, text, *kinds);
  write_result(json ? found_entries_json(found) : found_entries_text(found), options.out);
  return kDone;
}

}  // namespace vgsim::cli
