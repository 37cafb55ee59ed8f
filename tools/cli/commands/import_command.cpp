#include "tools/cli/commands/import_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/cluster_import.hpp"
#include "tools/cli/import/import_trace.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

const std::string kImportExamples = R"(
Examples:
  vgsim import topo.xml topo-m.txt vm.vmx -o host.json --scenario vms.json
  vgsim import vcenter/ --scenario cluster.json
  vgsim import trace.json.gz -o network.json
)";

std::string format_list() {
  std::string text = "\nFormats (--kind):\n";
  for (const ImportFormat& format : import_formats()) {
    text += fmt::format("  {:<11}  {}\n", format.word, format.about);
  }
  text += fmt::format("  {:<11}  {}", "trace",
                      "training job: PyTorch profile (Kineto) or execution trace, Chakra");
  return text;
}

/// Several hosts need a folder, or a scenario that names their files.
std::optional<std::string> problem_of_destination(const ImportOptions& options,
                                                  const Inventories& inventories) {
  std::error_code failed;
  const bool folder =
      options.out && (options.out->ends_with('/') || fs::is_directory(*options.out, failed));
  if (folder || options.scenario || inventories.hosts.size() <= 1) return std::nullopt;
  return fmt::format(
      "vgsim: the files describe {} hosts: give a folder for their files, such as -o "
      "imported/, or --scenario FILE\n",
      inventories.hosts.size());
}

/// Logs of benchmarks describe no host, so nothing is written.
int report_measurements(const ImportOptions& options) {
  if (!options.out) return kDone;
  write_message(
      fmt::format("vgsim: the files are measurements, which describe neither host nor VM: "
                  "nothing is written to {}\n",
                  *options.out));
  return kBadInput;
}

void write_notes(const ClusterImport& import) {
  write_message(import.notes().text() + input::render(import.warnings()));
}

}  // namespace

CLI::App* add_import_command(CLI::App& app, ImportOptions& options) {
  CLI::App* command = app.add_subcommand(
      "import",
      "convert dumps of hosts to topology files, VMs to scenario fragments, traces to networks");
  command
      ->add_option("files", options.files,
                   "dumps of hosts and VMs, or folders of them; the format is detected")
      ->required()
      ->type_name("FILE");
  command->add_option("--kind", options.kind, "format of all files, if the content is ambiguous")
      ->type_name("KIND");
  command->add_option("--name", options.name, "of the host or network (default: from the files)")
      ->type_name("NAME");
  add_output_option(*command, "--scenario", options.scenario,
                    "also write a scenario that runs, with the hosts, their VMs and a job");
  command->add_flag("--force", options.force, "overwrite a scenario that was edited");
  command
      ->add_option("--batch", options.batch,
                   "samples of a pass of a trace (default: from the trace)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  command
      ->add_option("--gpu", options.gpu,
                   "GPU of a trace, by its catalogue name (default: from the trace)")
      ->type_name("NAME");
  add_out_option(*command, options.out,
                 "write to this file instead of stdout; several hosts: to this folder",
                 Destination::kEither);
  command->footer(kImportExamples + format_list());
  return command;
}

int import_command(const ImportOptions& options) {
  if (is_trace_import(options)) return import_trace(options);
  auto inventories = read_inventories(options.files, options.kind);
  if (!inventories) return report_errors(inventories.error());
  if (const auto problem = problem_of_destination(options, *inventories)) {
    write_message(*problem);
    return kBadInput;
  }
  auto planned = planned_part(*inventories);
  if (!planned) return report_errors(planned.error());
  ClusterImport import(options, std::move(*inventories), std::move(*planned));
  if (!import.has_machines()) {
    write_notes(import);
    return report_measurements(options);
  }
  if (const auto problem = import.make()) {
    write_message(*problem);
    return kBadInput;
  }
  for (const ImportedText& file : import.files()) write_result(file.text, file.path);
  write_notes(import);
  return kDone;
}

}  // namespace vgsim::cli
