#include "tools/cli/commands/place_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "models/questions/place.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/screen/placement_screen.hpp"
#include "tools/tables/result_table.hpp"

namespace vgsim::cli {

namespace {

constexpr const char* kPlaceFooter = R"(
Examples:
  vgsim place configs/scenarios/bert-large-4xr750xa.json
  vgsim place mine.json --layout vgpu)";

}  // namespace

CLI::App* add_place_command(CLI::App& app, ScenarioOptions& options) {
  CLI::App* command = app.add_subcommand(
      "place", "show where vSphere places the VMs of a scenario, in power-on order");
  add_scenario_options(*command, options, "write to this file instead of stdout");
  command->footer(kPlaceFooter);
  return command;
}

int place_command(const ScenarioOptions& options) {
  if (options.out && tables::table_kind(*options.out)) {
    return report_options({fmt::format("{} would be no table: placements are text or JSON; name "
                                       "another file",
                                       *options.out)},
                          "place");
  }
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  auto input = read_scenario_input(options.scenario, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  const auto answer = ask_good_layouts(*input, *library, [&](const ScenarioInput& asked) {
    return scenario::place_scenario(asked.document, *library, asked.load);
  });
  if (!answer) return kBadInput;
  const auto* placed = &answer->value;
  const text::TerminalSize terminal = text::terminal_size(options.out);
  write_result(options.format == Format::kJson ? scenario::to_json(*placed)
               : options.full                  ? placement_in_full(*placed, terminal)
                                               : placement_screen(*placed, terminal),
               options.out);
  const bool all_fit = std::all_of(placed->begin(), placed->end(),
                                   [](const auto& layout) { return layout.report.all_fit(); });
  if (!answer->complete) return kBadInput;
  return all_fit ? kDone : kExpectationFailed;
}

}  // namespace vgsim::cli
