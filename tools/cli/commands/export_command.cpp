#include "tools/cli/commands/export_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "models/questions/guest_export.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "topology/export/graph_text.hpp"
#include "topology/importers/nccl/nccl_xml_writer.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/bus_id.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kExportFooter = R"(
Examples:
  vgsim export host.json --as dot -o host.dot
  vgsim export mine.json --vm train01 --as nccl -o topo.xml)";

using topology::inventory::Inventory;

std::string text_as(const std::string& format, const Inventory& host) {
  if (format == "dot") return topology::inventory::to_dot(host);
  if (format == "graphml") return topology::inventory::to_graphml(host);
  if (format == "nccl") return topology::to_nccl_xml(host);
  return topology::inventory::to_topology_text(host);
}

int export_host(const ExportOptions& options) {
  const auto all = read_inventories(options.files, options.kind);
  if (!all) return report_errors(all.error());
  if (all->hosts.size() != 1) {
    write_message(fmt::format("vgsim: the files describe {} hosts: one at a time is exported\n",
                              all->hosts.size()));
    return kBadInput;
  }
  write_result(text_as(options.as, all->hosts.front()), options.out);
  if (!all->warnings.empty()) write_message(input::render(all->warnings));
  return kDone;
}

/// Comments above the file, which NCCL skips: which address is which device.
std::string comment_of(const collectives::GuestTopologyFile& file, std::size_t given) {
  std::string text = "<!-- Topology for NCCL in the guest (NCCL_TOPO_FILE). Devices:\n";
  for (std::size_t d = 0; d < file.devices.size(); ++d) {
    text += fmt::format("     {}  {}{}\n", file.bus_ids[d], file.devices[d],
                        d < given ? "" : "  (placeholder: put its address in the guest here)");
  }
  return text + "-->\n";
}

int export_guest(const ExportOptions& options) {
  if (options.as != "nccl" || options.files.size() != 1) {
    write_message("vgsim: --vm goes with --as nccl and one scenario\n");
    return kBadInput;
  }
  scenario::GuestWanted guest{*options.vm, options.layout, {}};
  for (const std::string& id : options.guest_bus_ids) {
    guest.bus_ids.push_back(topology::normalized_bus_id(id));
    if (!guest.bus_ids.back().empty()) continue;
    write_message(fmt::format("vgsim: --guest-bus-ids \"{}\": expected \"0000:03:00.0\"\n", id));
    return kBadInput;
  }
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto input = read_scenario_input(options.files.front(), {});
  if (!input) return report_errors(input.error());
  const auto file = scenario::export_guest(input->document, *library, input->load, guest);
  if (!file) return report_errors(file.error());
  write_result(comment_of(*file, guest.bus_ids.size()) + topology::to_nccl_xml(file->machine),
               options.out);
  if (guest.bus_ids.size() < file->devices.size()) {
    write_message(
        "vgsim: bus ids of devices in the guest are placeholders; NCCL finds devices by them: give "
        "--guest-bus-ids\n");
  }
  return kDone;
}

}  // namespace

CLI::App* add_export_command(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand(
      "export", "export a host to other tools, or the topology file for NCCL in the guest of a VM");
  command
      ->add_option("topology", options.files,
                   "topology file, any input of vgsim import, or with --vm a scenario")
      ->required()
      ->type_name("TOPOLOGY");
  command
      ->add_option("--as", options.as,
                   "nccl (NCCL_TOPO_FILE), dot (Graphviz), graphml, json (topology file)")
      ->required()
      ->check(CLI::IsMember({"nccl", "dot", "graphml", "json"}))
      ->type_name("FORMAT");
  command->add_option("--vm", options.vm, "VM of the scenario: the topology in its guest, as nccl")
      ->type_name("NAME");
  command->add_option("--layout", options.layout, "of the scenario")->type_name("NAME");
  command
      ->add_option(
          "--guest-bus-ids", options.guest_bus_ids,
          "addresses in the guest (lspci): first of its GPUs in their order, then of its NICs")
      ->delimiter(',')
      ->type_name("ID,...");
  command->add_option("--kind", options.kind, "format, if the content is ambiguous")
      ->type_name("KIND");
  add_out_option(*command, options.out);
  command->footer(kExportFooter);
  return command;
}

int export_command(const ExportOptions& options) {
  return options.vm ? export_guest(options) : export_host(options);
}

}  // namespace vgsim::cli
