#include "models/scenario/answer/maintenance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/build/relocation.hpp"
#include "models/scenario/build/stops.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/warning.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

/// A mean month of 365.25 / 12 days.
constexpr double kMonth = 365.25 / 12 * 24 * 3600;

class Plan {
 public:
  Plan(const Placement& placed, const Library& library)
      : placed_(placed),
        cluster_(*placed.cluster),
        library_(library),
        relocation_(*placed.layout, cluster_, library),
        checkpoints_(checkpoints_of(placed.layout->job->training.checkpoints)) {
    for (const std::size_t machine : placed.machine_of_vm) {
      job_on_[cluster_.machines[machine].host].push_back(machine);
    }
  }

  Maintenance cost(const MaintenanceSpec& spec, double training_s) const {
    Maintenance result;
    result.stops = spec.per_month * static_cast<double>(job_on_.size());
    result.vmotion_s = 0.0;
    std::map<std::size_t, Emptied> known;  // by kind of host
    for (const auto& [host, machines] : job_on_) {
      const auto [found, is_new] = known.try_emplace(cluster_.hosts[host].kind);
      Emptied& emptied = found->second;
      if (is_new) emptied = empty(host, machines, mean_loss(training_s, result.stops));
      if (!emptied.why_not.empty()) {
        result.full.push_back(cluster_.hosts[host].name);
        if (result.why_full.empty()) result.why_full = emptied.why_not;
      }
      const SimTime wait = emptied.why_not.empty() ? SimTime{0} : spec.lasts;
      result.restart_s += spec.per_month * restart(wait);
      if (!emptied.vmotion_s) result.vmotion_s.reset();
      if (result.vmotion_s) *result.vmotion_s += spec.per_month * *emptied.vmotion_s;
    }
    // The loss is at most the whole month.
    result.restart_s = std::min(result.restart_s, kMonth);
    if (result.vmotion_s) result.vmotion_s = std::min(*result.vmotion_s, kMonth);
    return result;
  }

 private:
  /// One evacuation of a host.
  struct Emptied {
    std::string why_not;              ///< empty if its VMs fit on other hosts
    std::optional<double> vmotion_s;  ///< for the job's VMs; nothing if one cannot be moved
  };

  Emptied empty(std::size_t host, const std::vector<std::size_t>& machines, double lost_s) const {
    Emptied result{why_not_emptied(host), std::nullopt};
    if (!result.why_not.empty()) return result;
    double seconds = 0;
    for (const std::size_t machine : machines) {
      if (cannot_move(cluster_, relocation_, machine, library_)) return result;
      seconds +=
          vmotion_stop(placed_, relocation_, machine, lost_s, checkpoints_, library_).seconds;
    }
    result.vmotion_s = seconds;
    return result;
  }

  double restart(SimTime wait) const {
    return to_seconds(checkpoints_.save + wait + library_.parameters.time("ha_restart_time") +
                      checkpoints_.restore);
  }

  /// Mean work lost by a failure at a random time, at most the work since the previous one.
  double mean_loss(double training_s, double stops) const {
    const double since_last = stops > 0 ? kMonth / stops : kMonth;
    if (checkpoints_.every == SimTime{0}) return std::min(training_s / 2, since_last);
    return std::min(
        to_seconds(checkpoints_.every) / 2 + to_seconds(checkpoints_.save - checkpoints_.stop),
        since_last);
  }

  bool has_no_ha(std::size_t machine) const {
    return vsphere::lacks(cluster_.kinds[cluster_.machines[machine].kind], vsphere::Operation::kHa,
                          library_.vsphere->versions, cluster_.vsphere)
        .has_value();
  }

  /// Empty if all VMs of a host fit on the others.
  std::string why_not_emptied(std::size_t host) const {
    const std::vector<Departure> departures = relocation_.evacuate(host);
    if (departures.empty()) return "it is bare metal, without vMotion or HA";
    for (const Departure& each : departures) {
      const std::string& name = cluster_.machines[each.machine].name;
      if (has_no_ha(each.machine)) {
        if (const auto why = cannot_move(cluster_, relocation_, each.machine, library_)) {
          return fmt::format("{} cannot be moved: {}", name, *why);
        }
      }
      if (!each.host) return fmt::format("{}: {}", name, each.why_not);
    }
    return {};
  }

  const Placement& placed_;
  const Cluster& cluster_;
  const Library& library_;
  Relocation relocation_;
  Checkpoints checkpoints_;
  std::map<std::size_t, std::vector<std::size_t>> job_on_;  ///< machines of the job, by host
};

}  // namespace

void add_maintenance(const Placement& placed, const Library& library, LayoutResult& result) {
  const auto& spec = placed.layout->maintenance;
  if (!spec) return;
  Maintenance cost = Plan(placed, library).cost(*spec, result.training->training_s);
  if (!cost.full.empty()) {
    result.warnings.push_back(
        warning_of("host-cannot-be-emptied",
                   fmt::format("{}: {}", input::and_more(cost.full), cost.why_full), library));
  }
  if (cost.stops > 0 && result.training->training_s * cost.stops < kMonth) {
    result.assumptions.push_back(
        fmt::format("maintenance: cost per month of such jobs, run one after the other; one "
                    "training of {:.3g} h meets {:.2g} of {:.3g} host outages a month",
                    result.training->training_s / 3600,
                    result.training->training_s / kMonth * cost.stops, cost.stops));
  }
  result.training->maintenance = std::move(cost);
}

}  // namespace vgsim::scenario
