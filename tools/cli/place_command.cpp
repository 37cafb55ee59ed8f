#include <algorithm>

#include "models/scenario/vm_placement.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/screen/placement_screen.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {

int place_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) {
    write_message(input::render(library.error()));
    return kBadInput;
  }
  const auto file = input::load_source(options.scenario);
  if (!file) {
    write_message(input::render(file.error()));
    return kBadInput;
  }
  const auto placed = scenario::place_scenario(*file, *library, loader_beside(options.scenario));
  if (!placed) {
    write_message(input::render(placed.error()));
    return kBadInput;
  }
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
