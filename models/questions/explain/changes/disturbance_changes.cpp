#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "models/questions/explain/changes/change_context.hpp"

namespace vgsim::scenario {
namespace {

/// VMs outside the job that share its GPUs.
std::set<std::string> tenants_beside(const Placement& placed) {
  const Cluster& cluster = *placed.cluster;
  const auto gpus_of = [&](std::size_t machine) -> const std::vector<std::size_t>& {
    return cluster.kinds[cluster.machines[machine].kind].gpus;
  };
  std::set<std::pair<std::size_t, std::size_t>> gpus;  // GPUs of the job: host, number
  std::set<std::size_t> machines;
  for (const JobMachine& taken : placed.job.machines) {
    machines.insert(taken.machine);
    for (const std::size_t gpu : taken.gpus) {
      gpus.emplace(cluster.machines[taken.machine].host, gpus_of(taken.machine)[gpu]);
    }
  }
  std::set<std::string> tenants;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    const auto& own = gpus_of(m);
    const bool beside = std::any_of(own.begin(), own.end(), [&](std::size_t gpu) {
      return gpus.contains({cluster.machines[m].host, gpu});
    });
    if (beside && !machines.contains(m)) tenants.insert(cluster.machines[m].name);
  }
  return tenants;
}

}  // namespace

void add_disturbance_changes(const ChangeContext& at, std::vector<Change>& changes) {
  const Layout& layout = layout_of(at);
  const auto without = [&](const char* id, const char* title, const char* pointer, const auto& list,
                           const char* need) {
    if (list.empty()) return;
    changes.push_back({id, title, {take_away(pointer)}, {need}, {}, false});
  };
  without("no-neighbours", "without neighbours", "/neighbours", layout.neighbours,
          "separate hosts, NICs or storage for them");
  without("no-stragglers", "no stragglers", "/variability/stragglers",
          layout.variability.stragglers, "repair of the slow GPUs or hosts");
  without("no-faults", "no link faults", "/faults", layout.faults, "repair of the links that fail");
  Change idle{"idle-neighbours",
              "no busy vGPUs of others on the same GPUs",
              {},
              {"separate GPUs for the others"},
              {},
              false};
  const auto tenants = tenants_beside(at.prepared.layouts.front().placement);
  for (const auto& vm : layout.vms) {
    const double load = vm.value->spec.settings.gpu_load.value_or(1.0);
    if (load == 0.0 || !tenants.contains(vm.name)) continue;
    idle.overrides.push_back(set_number(place_of(kVms, vm, "/gpu_load"), 0));
  }
  add_if_any(std::move(idle), changes);
}

}  // namespace vgsim::scenario
