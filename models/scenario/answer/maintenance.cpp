#include "models/scenario/answer/maintenance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/build/stops.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/gpu_request.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "models/vsphere/placement/placer.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

class Plan {
 public:
  Plan(const Placement& placed, const Library& library)
      : placed_(placed),
        cluster_(*placed.cluster),
        library_(library),
        checkpoints_(checkpoints_of(placed.layout->job->training.checkpoints)) {
    for (const std::size_t machine : placed.machine_of_vm) {
      job_on_[cluster_.machines[machine].host].push_back(machine);
    }
  }

  Maintenance cost(const MaintenanceSpec& spec, double training_s) const {
    Maintenance result;
    result.vmotion_s = 0.0;
    std::map<std::size_t, bool> can_be_emptied;  // by kind of host
    for (const auto& [host, machines] : job_on_) {
      result.stops += spec.per_month;
      const std::size_t kind = cluster_.hosts[host].kind;
      const auto known = can_be_emptied.find(kind);
      const bool empties = known != can_be_emptied.end() ? known->second : can_empty(host);
      can_be_emptied[kind] = empties;
      if (!empties) result.full.push_back(cluster_.hosts[host].name);
      result.restart_s += spec.per_month * restart(empties ? SimTime{0} : spec.lasts);
      for (const std::size_t machine : machines) {
        if (!empties || cannot_move(cluster_, machine, library_)) result.vmotion_s.reset();
        if (result.vmotion_s) {
          *result.vmotion_s +=
              spec.per_month *
              vmotion_stop(placed_, machine, mean_loss(training_s), checkpoints_, library_).seconds;
        }
      }
    }
    return result;
  }

 private:
  double restart(SimTime wait) const {
    return to_seconds(checkpoints_.save + wait + library_.parameters.time("ha_restart_time") +
                      checkpoints_.restore);
  }

  /// Seconds of work that a job loses that fails at any time.
  double mean_loss(double training_s) const {
    if (checkpoints_.every == SimTime{0}) return training_s / 2;
    return to_seconds(checkpoints_.every) / 2 + to_seconds(checkpoints_.save - checkpoints_.stop);
  }

  bool has_no_ha(std::size_t machine) const {
    return vsphere::lacks(cluster_.kinds[cluster_.machines[machine].kind], vsphere::Operation::kHa,
                          library_.vsphere->versions, cluster_.vsphere)
        .has_value();
  }

  /// Whether all VMs of a host find a place on the others.
  bool can_empty(std::size_t emptied) const {
    std::vector<vsphere::PlacementHost> hosts;
    std::map<std::size_t, std::size_t> index_of;
    for (std::size_t h = 0; h < cluster_.hosts.size(); ++h) {
      if (h == emptied) continue;
      index_of.emplace(h, hosts.size());
      hosts.push_back({cluster_.hosts[h].name, &cluster_.inventory[cluster_.hosts[h].kind]});
    }
    std::map<std::string, const vsphere::VmSpec*> spec_of;
    for (const auto& vm : placed_.layout->vms) spec_of.emplace(vm.name, &vm.value->spec);
    input::Diagnostics none;
    std::vector<vsphere::PlacementRequest> requests;
    for (std::size_t m = 0; m < cluster_.machines.size(); ++m) {
      const Machine& machine = cluster_.machines[m];
      const auto spec = spec_of.find(machine.name);
      if (spec == spec_of.end()) return false;  // bare metal
      const bool moves = machine.host == emptied;
      if (moves && cannot_move(cluster_, m, library_) && has_no_ha(m)) return false;
      requests.push_back({machine.name,
                          moves ? std::nullopt : std::optional(index_of.at(machine.host)),
                          vsphere::gpu_request(*spec->second, library_.vsphere->profiles, none),
                          spec->second->settings.power_on + (moves ? 1 : 0)});
    }
    return !hosts.empty() &&
           vsphere::place_vms(hosts, requests, *library_.vsphere, cluster_.vsphere).all_fit();
  }

  const Placement& placed_;
  const Cluster& cluster_;
  const Library& library_;
  Checkpoints checkpoints_;
  std::map<std::size_t, std::vector<std::size_t>> job_on_;  ///< machines of the job, by host
};

}  // namespace

void add_maintenance(const Placement& placed, const Library& library, LayoutResult& result) {
  const auto& spec = placed.layout->maintenance;
  if (!spec) return;
  Maintenance cost = Plan(placed, library).cost(*spec, result.training->training_s);
  if (!cost.full.empty()) {
    const vsphere::Rule& rule = library.vsphere->rules.at("host-cannot-be-emptied");
    result.warnings.push_back(
        {rule.id, rule.verdict,
         fmt::format("{}: its VMs find no place on another host", input::and_more(cost.full)),
         rule.remedy, rule.sources.front().url, rule.standing});
  }
  result.training->maintenance = std::move(cost);
}

}  // namespace vgsim::scenario
