#include "tools/cli/commands/show_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "tools/cli/commands/server_comparison.hpp"
#include "tools/cli/commands/show_built.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text/host_tree_text.hpp"
#include "tools/cli/text/path_matrix_text.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/text_cells.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using MaybeText = tl::expected<std::string, Diagnostics>;

constexpr const char* kShowFooter = R"(
Examples:
  vgsim show configs/scenarios/bert-large-4xr750xa.json
  vgsim show dell-xe9680
  vgsim show host.json --against dell-r750xa)";

/// The text with control characters escaped.
std::string without_controls(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += input::printable(std::string_view(text).substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return result;
}

/// The scenario, or saved result, in a file; nothing for any other file. Standard input is
/// always a scenario.
std::optional<tl::expected<ScenarioInput, Diagnostics>> scenario_in(const std::string& path,
                                                                    const ShowOptions& options) {
  if (path != input::kStandardInput) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const auto source = input::load_source(path);
    const auto document =
        source ? scenario::Document::parse(*source)
               : tl::expected<scenario::Document, Diagnostics>(tl::unexpected(Diagnostics()));
    if (!document) return std::nullopt;
    const bool is_scenario = document->has("hosts") && document->has("job");
    if (!is_scenario && !document->has("manifest")) return std::nullopt;
  }
  return read_scenario_input(path, options.set, options.layouts);
}

MaybeText hosts_in_files(const std::vector<std::string>& files, const ShowOptions& options,
                         const topology::Catalog& catalog) {
  const auto all = read_inventories(files, options.kind);
  if (!all) return tl::unexpected(all.error());
  Diagnostics diagnostics;
  if (all->hosts.empty()) diagnostics.error("E111", {}, "", "the files describe no host");
  std::string text;
  for (const auto& host : all->hosts) {
    const std::string missing = missing_data_text(host);
    text += fmt::format("{}{}{}{}\n{}", text.empty() ? "" : "\n", host_tree_text(host, catalog),
                        missing.empty() ? "" : "\n", missing,
                        path_matrix_text(topology::inventory::path_classes(host)));
    if (!options.against) continue;
    const auto comparison = server_comparison(host, *options.against, catalog);
    if (!comparison) return tl::unexpected(comparison.error());
    text += '\n' + *comparison;
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  write_message(input::render(all->warnings));
  return text;
}

/// A name that is not a file.
MaybeText catalogued(const std::string& word, const topology::Catalog& catalog) {
  const auto name = topology::matching_part(catalog, "servers", word);
  if (name) return server_text(catalog.servers.at(*name), catalog);
  Diagnostics diagnostics;
  const auto meant = input::matching_names(word, topology::known_parts(catalog, "servers"));
  diagnostics.error("E411", {}, "",
                    fmt::format("\"{}\" is {} of the catalogue", word,
                                meant.empty() ? "neither a file nor a server"
                                              : "not a file, and may mean several servers"),
                    "a name that vgsim catalog servers lists",
                    meant.empty() ? input::suggest(word, names_of(catalog.servers)) : meant);
  return tl::unexpected(diagnostics);
}

}  // namespace

CLI::App* add_show_command(CLI::App& app, ShowOptions& options) {
  CLI::App* command =
      app.add_subcommand("show", "show hosts as trees, and their path classes as nvidia-smi does");
  command
      ->add_option("subject", options.subjects,
                   "scenario, server of the catalogue, topology file, or input of vgsim import "
                   "for one host")
      ->required()
      ->type_name("SCENARIO|SERVER|TOPOLOGY");
  command
      ->add_option("--against", options.against,
                   "server of the catalogue, to list differences in path classes and speeds from a "
                   "topology file")
      ->type_name("SERVER");
  command->add_option("--kind", options.kind, "format, if the content is ambiguous")
      ->type_name("KIND");
  add_layout_option(*command, options.layouts);
  add_set_option(*command, options.set);
  add_out_option(*command, options.out);
  command->footer(kShowFooter);
  return command;
}

int show_command(const ShowOptions& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  std::vector<std::string> files;  // all of one host
  std::vector<MaybeText> texts;
  for (const std::string& word : options.subjects) {
    const std::string subject = scenario_path(word);
    std::error_code error;
    if (!std::filesystem::exists(subject, error) && subject != input::kStandardInput) {
      texts.push_back(catalogued(subject, *library->catalog));
    } else if (const auto scenario = options.kind ? std::nullopt : scenario_in(subject, options)) {
      texts.push_back(*scenario ? scenario_hosts_text(**scenario, *library)
                                : MaybeText(tl::unexpected(scenario->error())));
    } else {
      files.push_back(subject);
    }
  }
  if (!files.empty()) texts.push_back(hosts_in_files(files, options, *library->catalog));
  Diagnostics diagnostics;
  std::string text;
  for (const MaybeText& each : texts) {
    if (!each) diagnostics.append(each.error());
    if (each) text += (text.empty() ? "" : "\n") + *each;
  }
  if (diagnostics.has_errors()) return report_errors(diagnostics);
  write_result(without_controls(text), options.out);
  return kDone;
}

}  // namespace vgsim::cli
