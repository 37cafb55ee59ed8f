#include "tools/cli/commands/man_command.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/reference/commands_page.hpp"
#include "tools/cli/text/man_page.hpp"
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
  command->add_option("--format", options.format, "roff (default), or md: its commands in Markdown")
      ->check(CLI::IsMember({"roff", "md"}))
      ->type_name("FORMAT");
  add_out_option(*command, options.out);
  command->footer(kManFooter);
  return command;
}

int man_command(const CLI::App& app, const ManOptions& options) {
  const Command program = command_tree(app);
  write_result(options.format == "md" ? commands_page(program) : man_page(program, version()),
               options.out);
  return kDone;
}

}  // namespace vgsim::cli
