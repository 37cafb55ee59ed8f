#include "models/questions/explain/numa_costs.hpp"

#include <algorithm>
#include <map>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/vsphere/numa_placement.hpp"

namespace vgsim::scenario {
namespace {

struct Cause {
  const char* words;
  std::map<std::string, double> without;  ///< parameters
};

const std::vector<Cause>& causes() {
  static const std::vector<Cause> all{
      {"copies between memory and GPU over the link between sockets",
       {{"remote_copy_share", 1.0}, {"remote_copy_share_gen3", 1.0}}},
      {"launches of kernels from another socket", {{"remote_launch_delay", 0.0}}},
      {"CPU work on memory of another node", {{"remote_memory_work_factor", 1.0}}}};
  return all;
}

/// Whether a VM of the job has memory or vCPUs on another node than one of its GPUs.
bool is_spread(const ChangeContext& at) {
  const Placement& placement = at.prepared.layouts.front().placement;
  const Cluster& cluster = *placement.cluster;
  return std::any_of(
      placement.job.machines.begin(), placement.job.machines.end(), [&](const JobMachine& each) {
        const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[each.machine].kind];
        if (vm.numa.memory.empty()) return false;
        const topology::Host& host = cluster.topology.hosts[vm.host];
        const bool apart = std::any_of(vm.gpus.begin(), vm.gpus.end(), [&](std::size_t gpu) {
          const std::size_t node = vsphere::node_of_device(cluster.topology, host, host.gpus[gpu]);
          return std::none_of(vm.numa.memory.begin(), vm.numa.memory.end(),
                              [&](const auto& part) { return part.node == node; });
        });
        return apart || vm.numa.memory.size() > 1 || vm.numa.remote_accesses > 0;
      });
}

}  // namespace

std::vector<NumaCost> numa_costs(const ChangeContext& at, const input::FileLoader& load,
                                 const RunSettings& settings) {
  std::vector<NumaCost> costs;
  const auto before = time_of(at.result);
  if (!before || *before <= 0 || !is_spread(at)) return costs;
  for (const Cause& cause : causes()) {
    RunSettings own = settings;
    own.next_limit = false;
    own.record = false;
    own.note_inputs = false;
    own.report = {};
    for (const auto& [name, value] : cause.without) own.parameters[name] = value;
    const auto without = run_scenario(at.document, at.library, load, own);
    if (!without) continue;
    const auto after = time_of(without->layouts.front());
    if (after) costs.push_back({cause.words, std::max(0.0, 1.0 - *after / *before)});
  }
  return costs;
}

}  // namespace vgsim::scenario
