#include "tools/cli/commands/help_command.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text/help_text.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kHelpFooter = R"(
Examples:
  vgsim help
  vgsim help run)";

bool is_for_terminal(const HelpOptions& options) {
  return !options.out && ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace

void set_help_text(CLI::App& app) {
  app.formatter_fn([](const CLI::App* command, const std::string& path, CLI::AppFormatMode) {
    return help_text(path, command_tree(*command), help_topics(config_dir()));
  });
}

CLI::App* add_help_command(CLI::App& app, HelpOptions& options) {
  CLI::App* command = app.add_subcommand("help", "show help for a command or topic; list both");
  command->add_option("word", options.word, "command or topic")->type_name("COMMAND|TOPIC");
  add_out_option(*command, options.out);
  command->footer(kHelpFooter);
  return command;
}

int help_command(const CLI::App& app, const HelpOptions& options) {
  const auto topics = help_topics(config_dir());
  const Command program = command_tree(app);
  if (options.word.empty()) {
    write_result(help_text(program.name, program, topics), options.out);
    return kDone;
  }
  std::vector<std::string> known;
  for (const Command& each : program.commands) {
    known.push_back(each.name);
    if (each.name != options.word) continue;
    write_result(help_text(program.name + " " + each.name, each, topics), options.out);
    return kDone;
  }
  for (const HelpTopic& topic : topics) {
    known.push_back(topic.name);
    if (topic.name != options.word) continue;
    write_result(is_for_terminal(options) ? plain_text(topic.text) : topic.text, options.out);
    return kDone;
  }
  const auto near = input::suggest(options.word, known);
  write_message(fmt::format("vgsim: no command or topic \"{}\"{}; vgsim help lists them\n",
                            options.word,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
  return kBadInput;
}

}  // namespace vgsim::cli
