#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"

namespace vgsim::scenario {

void add_disturbance_changes(const Situation& at, std::vector<Change>& changes) {
  const auto without = [&](const char* id, const char* title, const char* pointer,
                           const char* need) {
    if (!value_at(at.document, pointer)) return;
    changes.push_back({id, title, {take_away(pointer)}, {need}, {}, false});
  };
  without("no-neighbours", "without the neighbours", "/neighbours",
          "hosts, NICs or storage of their own for them");
  without("no-stragglers", "GPUs that are as fast as the others", "/variability/stragglers",
          "repair of what is slow");
  without("no-faults", "links that do not fail", "/faults", "repair of what fails");
  Change idle{"idle-neighbours",
              "no other vGPUs at work on the same GPUs",
              {},
              {"GPUs of their own for the others"},
              {},
              false};
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string place = fmt::format("/vms/{}/gpu_load", vm);
    const auto load = value_at(at.document, place);
    if (load && load->kind() != input::Kind::null) idle.overrides.push_back(set_number(place, 0));
  }
  if (!idle.overrides.empty()) changes.push_back(std::move(idle));
}

}  // namespace vgsim::scenario
