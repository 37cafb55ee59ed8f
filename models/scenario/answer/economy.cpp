#include "models/scenario/answer/economy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/relocation.hpp"
#include "models/scenario/build/stops.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/warning.hpp"
#include "models/training/goodput.hpp"

namespace vgsim::scenario {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kJoulesPerKilowattHour = 3.6e6;
constexpr double kWhole = 0.999;  ///< of the hosts: sums of shares are not exact
/// A job with a smaller goodput counts as never ending: an hour's work would take eleven years.
constexpr double kLeastGoodput = 1e-5;

/// The resources that a job occupies.
struct Equipment {
  double gpus = 0;
  double vgpus = 0;      ///< of these, those with a licence
  double gpu_watts = 0;  ///< thermal design power of all of them
  std::size_t hosts = 0;
  double host_shares = 0;  ///< used share of these hosts, by GPUs
  bool all_powers_known = true;
};

/// Thermal design power by the name of the model. Remembers the last one, since neighbours are
/// alike.
class GpuPowers {
 public:
  explicit GpuPowers(const topology::Catalog& catalog) : catalog_(&catalog) {}

  [[nodiscard]] std::optional<double> of(const std::string& model) {
    if (model_ == nullptr || *model_ != model) {
      const auto found = catalog_->gpus.find(model);
      model_ = &model;
      watts_.reset();
      if (found != catalog_->gpus.end() && found->second.tdp_watts) {
        watts_ = found->second.tdp_watts->value;
      }
    }
    return watts_;
  }

 private:
  const topology::Catalog* catalog_;
  const std::string* model_ = nullptr;  ///< last one looked up
  std::optional<double> watts_;
};

Equipment equipment_of(const Placement& placement, const Library& library) {
  Equipment all;
  std::set<std::size_t> hosts;
  GpuPowers powers(*library.catalog);
  const auto& vms = placement.vms();
  for (std::size_t v = 0; v < vms.size(); ++v) {
    hosts.insert(vms[v].host);
    const vsphere::GuestView& view = placement.views()[vms[v].view];
    const auto gpus_of_host =
        static_cast<double>(placement.cluster->topology.hosts[view.vm().host].gpus.size());
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto& shares = view.vm().shares;
      const double part = g < shares.size() ? shares[g].compute : 1.0;
      all.gpus += part;
      if (view.vm().mode->takes_profiles) all.vgpus += part;
      all.host_shares += part / gpus_of_host;
      if (const auto watts = powers.of(placement.cluster->topology.node(view.gpu(g)).model)) {
        all.gpu_watts += part * *watts;
      } else {
        all.all_powers_known = false;
      }
    }
  }
  all.hosts = hosts.size();
  return all;
}

double energy_of(const Equipment& equipment, const Library& library, const TrainingResult& result) {
  const double iteration = to_seconds(result.iteration);
  const double busy =
      iteration > 0 ? to_seconds(result.compute + result.optimizer) / iteration : 0.0;
  const double high = library.parameters.number("gpu_busy_power_share");
  const double low = library.parameters.number("gpu_idle_power_share");
  const double gpus = equipment.gpu_watts * (low + (high - low) * std::min(busy, 1.0));
  const double hosts = equipment.host_shares * library.parameters.number("host_power_watts");
  return (gpus + hosts) * result.training_s / kJoulesPerKilowattHour;
}

/// Whether HA can restart the job's VMs after the failure of any of its hosts; a warning if not.
bool survives_host_failures(const Placement& placement, const Library& library,
                            LayoutResult& result) {
  const Cluster& cluster = *placement.cluster;
  const Relocation relocation(*placement.layout, cluster, library);
  std::set<std::size_t> kinds;
  for (const std::size_t machine : placement.machine_of_vm) {
    const std::size_t host = cluster.machines[machine].host;
    if (!kinds.insert(cluster.hosts[host].kind).second) continue;
    const std::string why = why_no_restart(placement, relocation, host, library);
    if (why.empty()) continue;
    result.warnings.push_back(warning_of(
        "no-restart-after-failure",
        fmt::format("host failures not counted: {}; set \"restart\" to the repair time", why),
        library));
    return false;
  }
  return true;
}

std::optional<Goodput> goodput_of(const Placement& placement, const Library& library,
                                  const Equipment& equipment, LayoutResult& layout) {
  const TrainingResult& result = *layout.training;
  const std::optional<Reliability>& given = placement.layout->reliability;
  if (!given) return std::nullopt;
  const Checkpoints checkpoints = checkpoints_of(placement.layout->job->training.checkpoints);
  const double gpu_hours = given->gpu_hours
                               ? *given->gpu_hours
                               : library.parameters.number("gpu_hours_between_failures");
  double failures_per_hour = equipment.gpus / gpu_hours;
  if (given->host_hours && (given->restart || survives_host_failures(placement, library, layout))) {
    failures_per_hour += static_cast<double>(equipment.hosts) / *given->host_hours;
  }
  training::FailingJob job;
  job.work = result.training_s;
  job.between_failures = kSecondsPerHour / failures_per_hour;
  job.every = to_seconds(checkpoints.every);
  job.save = 0.0;  // already part of the training time
  const SimTime restart =
      given->restart ? *given->restart : library.parameters.time("ha_restart_time");
  // An asynchronous checkpoint counts only once it is written: the work done meanwhile is repeated.
  job.restart = to_seconds(restart + checkpoints.restore + checkpoints.save - checkpoints.stop);
  Goodput goodput;
  goodput.failures = result.training_s / job.between_failures;
  const double expected = training::expected_time(job);
  goodput.share = expected > 0 ? result.training_s / expected : 1.0;
  if (goodput.share >= kLeastGoodput || expected <= 0) goodput.expected_s = expected;
  job.save = to_seconds(checkpoints.stop);
  if (job.save > 0) goodput.best_interval_s = training::best_interval(job);
  return goodput;
}

std::optional<Cost> cost_of(const Placement& placement, const Equipment& equipment,
                            const Economy& economy, const TrainingResult& result) {
  const std::optional<Prices>& prices = placement.layout->prices;
  if (!prices) return std::nullopt;
  if (result.goodput && !result.goodput->expected_s) return std::nullopt;  // it never ends
  const double hours =
      (result.goodput ? *result.goodput->expected_s : result.training_s) / kSecondsPerHour;
  const double stretched =
      result.training_s > 0 ? hours * kSecondsPerHour / result.training_s : 1.0;
  Cost cost;
  cost.currency = prices->currency.value_or("");
  cost.parts["GPUs"] = prices->gpu_hour * equipment.gpus * hours;
  cost.parts["hosts"] = prices->host_hour * equipment.host_shares * hours;
  cost.parts["licences"] = prices->licence_gpu_hour * equipment.vgpus * hours;
  if (economy.energy_kwh) {
    cost.parts["energy"] = prices->kwh * prices->pue * *economy.energy_kwh * stretched;
  }
  std::erase_if(cost.parts, [](const auto& part) { return part.second == 0.0; });
  for (const auto& [what, amount] : cost.parts) cost.training += amount;
  cost.epoch = result.epochs > 0 ? cost.training / static_cast<double>(result.epochs) : 0.0;
  return cost;
}

}  // namespace

void add_economy(const Placement& placement, const Library& library, LayoutResult& result) {
  TrainingResult& training = *result.training;
  const Equipment equipment = equipment_of(placement, library);
  training.economy.gpu_hours = equipment.gpus * training.training_s / kSecondsPerHour;
  if (equipment.all_powers_known) {
    training.economy.energy_kwh = energy_of(equipment, library, training);
  }
  training.goodput = goodput_of(placement, library, equipment, result);
  training.economy.cost = cost_of(placement, equipment, training.economy, training);
  if (equipment.host_shares >= static_cast<double>(equipment.hosts) * kWhole) return;
  result.assumptions.push_back(fmt::format(
      "energy and price of hosts: {:.3g} of {} hosts, the share of their GPUs that the job "
      "uses",
      equipment.host_shares, equipment.hosts));
}

}  // namespace vgsim::scenario
