#include "models/questions/explain/changes/situation.hpp"

namespace vgsim::scenario {

void add_disturbance_changes(const Situation& at, std::vector<Change>& changes) {
  const Layout& layout = layout_of(at);
  const auto without = [&](const char* id, const char* title, const char* pointer, const auto& list,
                           const char* need) {
    if (list.empty()) return;
    changes.push_back({id, title, {take_away(pointer)}, {need}, {}, false});
  };
  without("no-neighbours", "without the neighbours", "/neighbours", layout.neighbours,
          "hosts, NICs or storage of their own for them");
  without("no-stragglers", "GPUs that are as fast as the others", "/variability/stragglers",
          layout.variability.stragglers, "repair of what is slow");
  without("no-faults", "links that do not fail", "/faults", layout.faults, "repair of what fails");
  Change idle{"idle-neighbours",
              "no other vGPUs at work on the same GPUs",
              {},
              {"GPUs of their own for the others"},
              {},
              false};
  for (const auto& vm : layout.vms) {
    if (!vm.value->spec.settings.gpu_load) continue;
    idle.overrides.push_back(set_number(place_of(kVms, vm, "/gpu_load"), 0));
  }
  add_if_any(std::move(idle), changes);
}

}  // namespace vgsim::scenario
