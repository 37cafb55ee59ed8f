#include "tools/cli/options/topology_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/cli/import/imported.hpp"
#include "tools/cli/options/common_options.hpp"

namespace vgsim::cli {
namespace {

const std::string kImportExamples = R"(
Examples:
  vgsim import topo.xml topo-m.txt vm.vmx -o host.json --scenario vms.json
  vgsim import vcenter/ --scenario cluster.json
  vgsim import trace.json.gz -o network.json
)";

constexpr const char* kExportFooter = R"(
Examples:
  vgsim export host.json --as dot -o host.dot
  vgsim export mine.json --vm train01 --as nccl -o topo.xml)";

std::string format_list() {
  std::string text = "\nFormats (--kind):\n";
  for (const ImportFormat& format : import_formats()) {
    text += fmt::format("  {:<11}  {}\n", format.word, format.about);
  }
  text += fmt::format("  {:<11}  {}", "trace",
                      "training job: PyTorch profile (Kineto) or execution trace, Chakra");
  return text;
}

}  // namespace

CLI::App* add_import_command(CLI::App& app, Options& options) {
  ImportOptions& import = options.import;
  CLI::App* command = app.add_subcommand(
      "import",
      "make a topology file of dumps of a host, scenario fragments of VMs, a network of a "
      "trace");
  command
      ->add_option("files", import.files,
                   "dumps of hosts and VMs, or folders of them; the format is told by content")
      ->required()
      ->type_name("FILE");
  command->add_option("--kind", import.kind, "format of all files, where content does not tell it")
      ->type_name("KIND");
  command->add_option("--name", import.name, "of the host or network (default: as the files say)")
      ->type_name("NAME");
  add_output_option(*command, "--scenario", import.scenario,
                    "also write a scenario that runs, with the hosts, their VMs and a job");
  command->add_flag("--force", import.force, "write over a scenario that somebody has changed");
  command
      ->add_option("--batch", import.batch, "samples of a pass of a trace (default: as it shows)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  command
      ->add_option("--gpu", import.gpu,
                   "of the catalogue, that ran a trace (default: as the trace names it)")
      ->type_name("NAME");
  add_out_option(*command, options.out,
                 "write to this file instead of stdout; several hosts: to this folder",
                 Destination::kEither);
  command->footer(kImportExamples + format_list());
  return command;
}

CLI::App* add_export_command(CLI::App& app, Options& options) {
  ExportOptions& exported = options.exported;
  CLI::App* command = app.add_subcommand(
      "export", "write a host for other tools, or what NCCL in the guest of a VM should be told");
  command
      ->add_option("topology", options.import.files,
                   "topology file, whatever vgsim import reads, or with --vm a scenario")
      ->required()
      ->type_name("TOPOLOGY");
  command
      ->add_option(
          "--as", exported.as,
          "nccl (NCCL_TOPO_FILE), dot (Graphviz), graphml, json (topology file)")
      ->required()
      ->check(CLI::IsMember({"nccl", "dot", "graphml", "json"}))
      ->type_name("FORMAT");
  command->add_option("--vm", exported.vm, "of the scenario: what its guest would see, as nccl")
      ->type_name("NAME");
  command->add_option("--layout", exported.layout, "of the scenario")->type_name("NAME");
  command
      ->add_option("--guest-bus-ids", exported.guest_bus_ids,
                   "addresses in the guest (lspci), of its GPUs in their order, then of its NICs")
      ->delimiter(',')
      ->type_name("ID,...");
  command->add_option("--kind", options.import.kind, "format, where content does not tell it")
      ->type_name("KIND");
  add_out_option(*command, options.out);
  command->footer(kExportFooter);
  return command;
}

}  // namespace vgsim::cli
