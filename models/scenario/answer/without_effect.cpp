#include "models/scenario/answer/without_effect.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "models/scenario/read/library.hpp"
#include "models/scenario/run/warning.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

/// Names of hosts, VMs and GPUs that the job uses.
std::set<std::string> names_of_job(const Placement& placed) {
  const Cluster& cluster = *placed.cluster;
  std::set<std::string> names;
  for (const JobMachine& taken : placed.job.machines) {
    const Machine& machine = cluster.machines[taken.machine];
    names.insert(machine.name);
    names.insert(cluster.hosts[machine.host].name);
    for (const std::size_t gpu : taken.gpus) names.insert(cluster.gpu_name(taken.machine, gpu));
  }
  return names;
}

/// Whether a link belongs to a device: "esx01/vmnic4 -> leaf1" to "esx01/vmnic4".
bool is_of(const LinkUse& link, const std::string& device) {
  const std::string& text = link.resource;
  for (std::size_t at = text.find(device); at != std::string::npos;
       at = text.find(device, at + 1)) {
    const std::size_t end = at + device.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

/// Simulated part of the job in seconds: an epoch, or the longest collective.
double simulated_s(const LayoutResult& result) {
  if (result.training) return result.training->epoch_s;
  double longest = 0;
  for (const CollectivePoint& point : result.collective->points) {
    longest = std::max(longest, to_seconds(point.time));
  }
  return longest;
}

/// Why a fault has no effect; empty if it has.
std::string why_no_fault(const FaultSpec& fault, const LayoutResult& result) {
  if (to_seconds(fault.at) >= simulated_s(result)) {
    const bool goes_on = result.training && to_seconds(fault.at) < result.training->training_s;
    return fmt::format(
        "{} by {}",
        goes_on ? "the first epoch, the only one simulated, has ended" : "the job has ended",
        input::format_time(fault.at));
  }
  const bool crossed = std::any_of(result.links.begin(), result.links.end(),
                                   [&](const LinkUse& link) { return is_of(link, *fault.link); });
  return crossed ? "" : "the job sends no data over it";
}

/// Hosts of the job whose time slice no scheduler uses.
std::set<std::string> unused_time_slices(const Placement& placed) {
  const Cluster& cluster = *placed.cluster;
  std::set<std::string> hosts;
  for (const JobMachine& taken : placed.job.machines) {
    const std::size_t host = cluster.machines[taken.machine].host;
    const vsphere::VgpuSettings& vgpu = cluster.inventory[cluster.hosts[host].kind].settings.vgpu;
    if (vgpu.time_slice && vgpu.scheduler == vsphere::Scheduler::kBestEffort) {
      hosts.insert(cluster.hosts[host].name);
    }
  }
  return hosts;
}

}  // namespace

void warn_of_no_effect(const Placement& placed, const Library& library, LayoutResult& result) {
  const Layout& layout = *placed.layout;
  if (!result.training && !result.collective) return;
  const auto warn = [&](const std::string& text) {
    result.warnings.push_back(warning_of("event-without-effect", text, library));
  };
  for (const std::string& host : unused_time_slices(placed)) {
    result.warnings.push_back(warning_of(
        "time-slice-without-effect",
        fmt::format("{}: the best-effort scheduler, the default, ignores \"time_slice\"", host),
        library));
  }
  std::set<std::string> used;
  if (!layout.variability.stragglers.empty()) used = names_of_job(placed);
  for (const auto& straggler : layout.variability.stragglers) {
    if (used.contains(straggler.name)) continue;
    warn(fmt::format("straggler {}: the job has no rank there", straggler.name));
  }
  for (const auto& neighbour : layout.neighbours) {
    const auto& machines = placed.job.machines;
    const bool meet = std::any_of(machines.begin(), machines.end(), [&](const JobMachine& taken) {
      const Cluster& cluster = *placed.cluster;
      return input::matches_pattern(cluster.hosts[cluster.machines[taken.machine].host].name,
                                    *neighbour->host);
    });
    if (!meet) warn(fmt::format("neighbours on {}: the job does not run there", *neighbour->host));
  }
  for (const FaultSpec& fault : layout.faults) {
    const std::string why = why_no_fault(fault, result);
    if (!why.empty()) warn(fmt::format("fault of {}: {}", *fault.link, why));
  }
}

}  // namespace vgsim::scenario
