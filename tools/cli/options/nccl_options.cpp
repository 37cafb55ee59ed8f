#include "tools/cli/options/nccl_options.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/options/common_options.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kNcclFooter = R"(
Examples:
  vgsim nccl topo.xml
  vgsim nccl topo.xml --hosts 4 --env NCCL_ALGO=Ring)";

}  // namespace

CLI::App* add_nccl_command(CLI::App& app, Options& options) {
  NcclOptions& nccl = options.nccl;
  CLI::App* command =
      app.add_subcommand("nccl", "show what NCCL would decide on hosts of a topology file");
  command
      ->add_option("topology", nccl.topology,
                   "file written by NCCL (NCCL_TOPO_DUMP_FILE) or by vgsim import")
      ->required()
      ->type_name("TOPO.xml");
  command->add_option("--hosts", nccl.hosts, "number of such hosts (default 1)")->type_name("N");
  command->add_option("--nccl-version", nccl.version, "release, 2.10 to 2.30 (default newest)")
      ->type_name("V");
  command->add_option("--env", nccl.environment, "variable of NCCL's environment; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--sizes", nccl.sizes, "buffer sizes, such as \"8 B .. 8 GiB x2\"")
      ->type_name("SIZES");
  add_format_option(*command, options.format);
  add_out_option(*command, options.out);
  command->footer(kNcclFooter);
  return command;
}

}  // namespace vgsim::cli
