#include "tools/cli/commands/validate_command.hpp"

#include <CLI/CLI.hpp>

#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/commands/scenario_answer.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/screen/validation_screen.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kValidateFooter = R"(
Examples:
  vgsim validate configs/scenarios/bert-large-4xr750xa.json
  vgsim validate mine.json --set /job/batch_per_gpu=64)";

}  // namespace

CLI::App* add_validate_command(CLI::App& app, ScenarioOptions& options) {
  CLI::App* command = app.add_subcommand("validate", "check a scenario without simulating it");
  add_scenario_options(*command, options, kOutOrTable);
  command->footer(kValidateFooter);
  return command;
}

int validate_command(const ScenarioOptions& options) {
  ScenarioAnswer answer;
  answer.command = "validate";
  answer.check = [](const auto&, const auto&) { return kDone; };
  answer.evaluate = [](const ScenarioInput& input, const scenario::Library& library, auto&) {
    return scenario::validate_scenario(input.document, library, input.load);
  };
  answer.text = [&](const auto& result, const auto&, const auto&) {
    const text::TerminalSize terminal = text::terminal_size(options.out);
    return options.full ? validation_in_full(result, terminal)
                        : validation_screen(result, terminal);
  };
  return answer_scenario(options, answer);
}

}  // namespace vgsim::cli
