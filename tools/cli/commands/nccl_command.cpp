#include "tools/cli/commands/nccl_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "models/collectives/nccl/machine_of_inventory.hpp"
#include "models/collectives/nccl/outcome_json.hpp"
#include "models/scenario/read/size_range.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text/nccl_text.hpp"
#include "topology/importers/nccl/nccl_graph_xml.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kNcclFooter = R"(
Examples:
  vgsim nccl topo.xml
  vgsim nccl topo.xml --hosts 4 --env NCCL_ALGO=Ring)";

namespace nccl = collectives::nccl;

/// The parsed command line.
struct Request {
  std::size_t hosts = 1;
  nccl::Constants constants;
  nccl::Settings settings;
  std::vector<Bytes> sizes;
  nccl::Machine machine;
};

/// Collects errors, to report all at once.
class Faults {
 public:
  void add(const std::string& text) { text_ += fmt::format("vgsim: {}\n", text); }
  void add(const input::Diagnostics& diagnostics) { text_ += input::render(diagnostics); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void read_hosts(const NcclOptions& options, Request& request, Faults& faults) {
  constexpr std::size_t kMost = 4096;
  const std::string& text = options.hosts;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), request.hosts);
  if (error == std::errc() && end == text.data() + text.size() && request.hosts >= 1 &&
      request.hosts <= kMost) {
    return;
  }
  faults.add(fmt::format("--hosts \"{}\": expected a number from 1 to {}", text, kMost));
}

void read_sizes(const NcclOptions& options, Request& request, Faults& faults) {
  const char* usual = options.format == Format::kJson ? "4 B .. 16 GiB x2" : "1 KiB .. 4 GiB x4";
  const std::string text = options.sizes.empty() ? usual : options.sizes;
  auto sizes = scenario::parse_size_range(text);
  if (sizes) {
    request.sizes = std::move(*sizes);
  } else {
    faults.add(fmt::format("--sizes \"{}\": expected {}", text, sizes.error()));
  }
}

/// Variables of later stages, or that select devices: a topology file contains the selected
/// ones.
constexpr const char* kWithoutEffect[] = {"NCCL_IB_DISABLE", "NCCL_IB_HCA",
                                          "NCCL_IGNORE_CPU_AFFINITY", "NCCL_P2P_NET_CHUNKSIZE",
                                          "NCCL_TOPO_FILE"};

/// The file of NCCL_GRAPH_FILE.
void read_graphs(Request& request, Faults& faults) {
  if (!request.settings.graph_file) return;
  const auto source = input::load_source(*request.settings.graph_file);
  if (!source) return faults.add(source.error());
  auto graphs = topology::read_chosen_graphs(*source);
  if (!graphs) return faults.add(graphs.error());
  request.settings.graphs = std::move(*graphs);
}

void read_environment(const NcclOptions& options, Request& request, Faults& faults) {
  std::map<std::string, std::string> variables;
  for (const std::string& text : options.environment) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      faults.add(fmt::format("--env \"{}\": expected NAME=VALUE", text));
      continue;
    }
    variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const char* name : kWithoutEffect) {
    if (variables.contains(name)) {
      faults.add(fmt::format("--env {}: it changes nothing that this command shows", name));
    }
  }
  const auto settings = nccl::parse_settings(variables);
  if (settings) {
    request.settings = *settings;
    return read_graphs(request, faults);
  }
  for (const nccl::SettingError& error : settings.error()) {
    faults.add(fmt::format(
        "--env {}={}: {}{}{}", error.name, variables[error.name], error.message,
        error.expected.empty() ? "" : fmt::format("; expected {}", error.expected),
        error.suggestions.empty() ? ""
                                  : fmt::format("; did you mean \"{}\"?", error.suggestions[0])));
  }
}

bool has_rank(const std::vector<nccl::MachinePci>& pcis) {
  return std::any_of(pcis.begin(), pcis.end(), [](const nccl::MachinePci& pci) {
    return (pci.gpu && pci.gpu->rank) || has_rank(pci.children);
  });
}

/// A dump of NCCL, or a topology file.
tl::expected<topology::inventory::Inventory, input::Diagnostics> read_machine(
    const input::SourcePtr& source) {
  return topology::inventory::is_topology_text(source->text)
             ? topology::inventory::read_topology_file(source)
             : topology::read_nccl_xml(source);
}

void read_topology(const NcclOptions& options, Request& request, Faults& faults) {
  const auto source = input::load_source(options.topology);
  if (!source) return faults.add(source.error());
  const auto host = read_machine(*source);
  if (!host) return faults.add(host.error());
  request.machine = nccl::machine_of_inventory(*host);
  const bool has_gpu = std::any_of(request.machine.cpus.begin(), request.machine.cpus.end(),
                                   [](const nccl::MachineCpu& cpu) { return has_rank(cpu.pcis); });
  if (has_gpu) return;
  input::Diagnostics diagnostics;
  diagnostics.error(topology::import_codes::kNoGpu.code, {*source, 0, 1}, "",
                    "the file has no <gpu>: it is a template that NCCL completes when it runs",
                    "a dump of a run (NCCL_TOPO_DUMP_FILE); a scenario can complete a template: "
                    "\"topology\": \"nccl:...\" with \"gpus\" next to it");
  faults.add(diagnostics);
}

void read_version(const NcclOptions& options, Request& request, Faults& faults) {
  const auto library = load_library(config_dir());
  if (!library) return faults.add(library.error());
  const auto constants = nccl::constants_of(library->nccl, options.version);
  if (constants) {
    request.constants = *constants;
  } else {
    faults.add(
        fmt::format("--nccl-version \"{}\": expected {}", options.version, constants.error()));
  }
}

}  // namespace

CLI::App* add_nccl_command(CLI::App& app, NcclOptions& options) {
  CLI::App* command =
      app.add_subcommand("nccl", "show what NCCL would decide on hosts of a topology file");
  command
      ->add_option("topology", options.topology,
                   "file written by NCCL (NCCL_TOPO_DUMP_FILE) or by vgsim import")
      ->required()
      ->type_name("TOPO.xml");
  command->add_option("--hosts", options.hosts, "number of such hosts (default 1)")->type_name("N");
  command->add_option("--nccl-version", options.version, "release, 2.10 to 2.30 (default newest)")
      ->type_name("V");
  command
      ->add_option("--env", options.environment, "variable of NCCL's environment; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--sizes", options.sizes, "buffer sizes, such as \"8 B .. 8 GiB x2\"")
      ->type_name("SIZES");
  add_format_option(*command, options.format);
  add_out_option(*command, options.out);
  command->footer(kNcclFooter);
  return command;
}

int nccl_command(const NcclOptions& options) {
  Request request;
  Faults faults;
  read_topology(options, request, faults);
  read_hosts(options, request, faults);
  read_version(options, request, faults);
  read_environment(options, request, faults);
  read_sizes(options, request, faults);
  if (!faults.text().empty()) {
    write_message(faults.text());
    return kBadInput;
  }
  std::optional<nccl::Outcome> outcome;
  try {
    outcome = nccl::outcome_of(options.topology, request.machine, request.hosts, request.constants,
                               request.settings);
  } catch (const std::invalid_argument& error) {
    write_message(fmt::format("vgsim: {}: {}\n", options.topology, error.what()));
    return kBadInput;
  }
  write_result(options.format == Format::kJson ? nccl::to_json(*outcome, request.sizes)
                                               : nccl_text(*outcome, request.sizes),
               options.out);
  return kDone;
}

}  // namespace vgsim::cli
