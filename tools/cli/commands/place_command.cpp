#include <algorithm>

#include "models/questions/place.hpp"
#include "tools/cli/commands/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/screen/placement_screen.hpp"

namespace vgsim::cli {

int place_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto input = read_scenario_input(options.scenario, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  const auto placed = scenario::place_scenario(input->document, *library, input->load);
  if (!placed) return report_errors(placed.error());
  const Room room = room_of(options.out);
  write_result(options.format == Format::kJson ? scenario::to_json(*placed)
               : options.full                  ? placement_in_full(*placed, room)
                                               : placement_screen(*placed, room),
               options.out);
  const bool all_fit = std::all_of(placed->begin(), placed->end(),
                                   [](const auto& layout) { return layout.report.all_fit(); });
  return all_fit ? kDone : kExpectationFailed;
}

}  // namespace vgsim::cli
