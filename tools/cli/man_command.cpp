#include "tools/cli/man_command.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/common_options.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/man_page.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/version.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kManFooter = R"(
Examples:
  man -l <(vgsim man)
  vgsim man -o ~/.local/share/man/man1/vgsim.1)";

}  // namespace

CLI::App* add_man_command(CLI::App& app, ManOptions& options) {
  CLI::App* command = app.add_subcommand("man", "print the manual page vgsim(1)");
  add_out_option(*command, options.out);
  command->footer(kManFooter);
  return command;
}

int man_command(const CLI::App& app, const ManOptions& options) {
  write_result(man_page(command_tree(app), version()), options.out);
  return kDone;
}

}  // namespace vgsim::cli
