#include "tools/cli/commands/completion_command.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/completion/completion.hpp"
#include "tools/cli/completion/known_words.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCompletionFooter = R"(
Examples:
  source <(vgsim completion bash)     for this shell; in ~/.bashrc for all
  source <(vgsim completion zsh)      in ~/.zshrc, behind compinit
  vgsim completion fish -o ~/.config/fish/completions/vgsim.fish)";

completion::Shell shell_of(const std::string& word) {
  if (word == "zsh") return completion::Shell::kZsh;
  return word == "fish" ? completion::Shell::kFish : completion::Shell::kBash;
}

}  // namespace

CLI::App* add_completion_command(CLI::App& app, CompletionOptions& options) {
  CLI::App* command = app.add_subcommand("completion", "print a completion script for a shell");
  command->add_option("shell", options.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL");
  add_out_option(*command, options.out);
  command->footer(kCompletionFooter);
  return command;
}

int completion_command(const CLI::App& app, const CompletionOptions& options) {
  const Command program = command_tree(app);
  completion::WordTable words = completion::known_words(config_dir());
  for (const Command& each : program.commands) words["help 0"].always.push_back(each.name);
  write_result(completion::script(program, shell_of(options.shell), words), options.out);
  return kDone;
}

}  // namespace vgsim::cli
