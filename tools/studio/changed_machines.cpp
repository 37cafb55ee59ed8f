#include "tools/studio/changed_machines.hpp"

#include <fmt/format.h>

#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

std::size_t size_of(const input::Value& host, const char* key) {
  const auto found = host.is_object() ? input::find(host, key) : std::nullopt;
  if (!found) return 0;
  if (found->is_object()) return found->members().size();
  return found->is_array() ? found->elements().size() : 0;
}

void add_lost(std::size_t before, std::size_t after, const char* what,
              std::vector<std::string>& removed) {
  if (after >= before) return;
  removed.push_back(after == 0
                        ? fmt::format("All {} {} are removed", before, what)
                        : fmt::format("{} of {} {} are removed", before - after, before, what));
}

}  // namespace

MachineCounts counts_of(const scenario::PreparedScenario& prepared,
                        const scenario::LayoutResult& result, const input::Value& scenario) {
  MachineCounts counts;
  const scenario::Cluster& cluster = *prepared.layouts.front().placement.cluster;
  counts.hosts = cluster.hosts.size();
  counts.vms = cluster.machines.size();
  for (const scenario::ClusterHost& host : cluster.hosts) {
    if (host.kind < cluster.inventory.size())
      counts.gpus += cluster.inventory[host.kind].gpus.size();
  }
  counts.job_gpus = result.refused ? 0 : result.ranks;
  const input::Member* hosts = scenario.member("hosts");
  if (hosts == nullptr || !hosts->value.is_object()) return counts;
  for (const input::Member& host : hosts->value.members()) {
    counts.bridges += size_of(host.value, "nvlink_bridges");
    counts.nics += size_of(host.value, "nics");
  }
  return counts;
}

std::vector<std::string> removed_machines(const MachineCounts& before, const MachineCounts& after) {
  std::vector<std::string> removed;
  if (after.hosts < before.hosts) return removed;  // asked for
  add_lost(before.gpus, after.gpus, "GPUs of the hosts", removed);
  if (after.job_gpus < before.job_gpus && after.job_gpus > 0 && after.gpus >= before.gpus) {
    removed.push_back(fmt::format("{} of {} GPUs are no longer used by the job",
                                  before.job_gpus - after.job_gpus, before.job_gpus));
  }
  add_lost(before.bridges, after.bridges, "NVLink bridges", removed);
  add_lost(before.nics, after.nics, "NICs", removed);
  add_lost(before.vms, after.vms, "VMs", removed);
  return removed;
}

}  // namespace vgsim::studio
