#include "tools/cli/options/scenario_options.hpp"

#include <CLI/CLI.hpp>

#include "tools/cli/options/common_options.hpp"

namespace vgsim::cli {

void add_scenario_options(CLI::App& command, ScenarioOptions& options, const char* out) {
  command
      .add_option("scenario", options.scenario,
                  "scenario, name of a shipped one, or saved result (JSON); - is standard input")
      ->required()
      ->type_name("SCENARIO.json");
  add_layout_option(command, options.layouts);
  add_set_option(command, options.set);
  add_full_option(command, options.full);
  add_format_option(command, options.format);
  add_out_option(command, options.out, out);
}

}  // namespace vgsim::cli
