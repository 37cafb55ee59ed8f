#include "models/scenario/answer/interruptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scenario/build/relocation.hpp"
#include "models/scenario/build/stops.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/warning.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

constexpr const char* kWithoutEffect = "event-without-effect";
constexpr const char* kNoRestart = "no-restart-after-failure";

const char* name_of(DisruptionKind kind) {
  switch (kind) {
    case DisruptionKind::kVmotion:
      return "vMotion";
    case DisruptionKind::kRestart:
      return "planned restart";
    case DisruptionKind::kHostFailure:
      return "host failure";
  }
  return "?";
}

/// A job and its disruptions.
class Disrupted {
 public:
  Disrupted(const Placement& placed, const Library& library)
      : placed_(placed),
        cluster_(*placed.cluster),
        library_(library),
        relocation_(*placed.layout, cluster_, library),
        checkpoints_(checkpoints_of(placed.layout->job->training.checkpoints)) {}

  /// `training_s`: the training time without the disruption.
  [[nodiscard]] Interruption interruption(const Disruption& disruption, double training_s) const {
    const std::string& vm = cluster_.machines[disruption.machine].name;
    Interruption result{
        fmt::format("{} of {}", name_of(disruption.kind), vm), 0.0, {}, 0.0, kWithoutEffect};
    if (!meets_job(disruption)) {
      result.why = "it is not part of the job";
    } else if (to_seconds(disruption.at) >= training_s) {
      result.why = fmt::format("the training has ended by {}", input::format_time(disruption.at));
    } else {
      price(disruption, result);
    }
    return result;
  }

 private:
  [[nodiscard]] bool is_of_job(std::size_t machine) const {
    const auto& machines = placed_.machine_of_vm;
    return std::find(machines.begin(), machines.end(), machine) != machines.end();
  }

  /// A host failure stops all VMs of the host.
  [[nodiscard]] bool meets_job(const Disruption& disruption) const {
    if (disruption.kind != DisruptionKind::kHostFailure) return is_of_job(disruption.machine);
    const std::size_t host = cluster_.machines[disruption.machine].host;
    return std::any_of(placed_.machine_of_vm.begin(), placed_.machine_of_vm.end(),
                       [&](std::size_t m) { return cluster_.machines[m].host == host; });
  }

  void price(const Disruption& disruption, Interruption& result) const {
    switch (disruption.kind) {
      case DisruptionKind::kVmotion:
        return price_vmotion(disruption, result);
      case DisruptionKind::kRestart:
        result.rule.clear();
        result.seconds = to_seconds(checkpoints_.save + restart() + checkpoints_.restore);
        result.why = "checkpoint, start of the VM, loading of the checkpoint";
        return;
      case DisruptionKind::kHostFailure:
        return price_failure(disruption, result);
    }
  }

  void price_vmotion(const Disruption& disruption, Interruption& result) const {
    if (relocation_.targets(disruption.machine).empty()) {
      result.why = relocation_.why_no_target(disruption.machine);
      return;
    }
    Stop stop =
        vmotion_stop(placed_, relocation_, disruption.machine,
                     to_seconds(checkpoints_.lost_at(disruption.at)), checkpoints_, library_);
    result.rule.clear();
    result.seconds = stop.seconds;
    result.why = std::move(stop.why);
  }

  void price_failure(const Disruption& disruption, Interruption& result) const {
    result.why =
        why_no_restart(placed_, relocation_, cluster_.machines[disruption.machine].host, library_);
    if (!result.why.empty()) {
      result.rule = kNoRestart;
      return;
    }
    result.rule.clear();
    result.seconds =
        to_seconds(checkpoints_.lost_at(disruption.at) + restart() + checkpoints_.restore);
    result.why = checkpoints_.every > SimTime{0}
                     ? "work since the last checkpoint, restart by HA, loading of the checkpoint"
                     : "all work done so far, restart by HA, loading";
  }

  [[nodiscard]] SimTime restart() const { return library_.parameters.time("ha_restart_time"); }

  const Placement& placed_;
  const Cluster& cluster_;
  const Library& library_;
  Relocation relocation_;
  Checkpoints checkpoints_;
};

/// In order of time: earlier interruptions extend the training time for later ones.
std::vector<Interruption> interruptions_of(const std::vector<Disruption>& disruptions,
                                           const Placement& placed, const Library& library,
                                           double training_s) {
  std::vector<Interruption> result(disruptions.size());
  if (disruptions.empty()) return result;
  const Disrupted job(placed, library);
  std::vector<std::size_t> order(disruptions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return disruptions[a].at < disruptions[b].at;
  });
  for (const std::size_t i : order) {
    result[i] = job.interruption(disruptions[i], training_s);
    training_s += result[i].seconds;
  }
  return result;
}

/// Events with the same finding share a warning.
void warn_of_unpriced(const std::vector<Interruption>& interruptions, const Library& library,
                      LayoutResult& result) {
  std::vector<std::pair<const Interruption*, std::vector<std::string>>> distinct;
  for (const Interruption& each : interruptions) {
    if (each.rule.empty()) continue;
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const auto& other) {
      return other.first->rule == each.rule && other.first->why == each.why;
    });
    auto& names = same == distinct.end()
                      ? distinct.emplace_back(&each, std::vector<std::string>{}).second
                      : same->second;
    names.push_back(each.what);
  }
  for (const auto& [first, names] : distinct) {
    result.warnings.push_back(warning_of(
        first->rule, fmt::format("{}: {}", input::and_more(names), first->why), library));
  }
}

}  // namespace

void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, LayoutResult& result) {
  TrainingResult& training = *result.training;
  const Checkpoints checkpoints = checkpoints_of(placed.layout->job->training.checkpoints);
  if (checkpoints.every > SimTime{0} && checkpoints.stop > SimTime{0}) {
    const double count = std::floor(training.training_s / to_seconds(checkpoints.every));
    training.interruptions.push_back({"checkpoints",
                                      count * to_seconds(checkpoints.stop),
                                      fmt::format("{:.0f} checkpoints", count),
                                      0.0,
                                      {}});
    training.training_s += training.interruptions.back().seconds;
  }
  std::vector<Interruption> events =
      interruptions_of(disruptions, placed, library, training.training_s);
  warn_of_unpriced(events, library, result);
  for (Interruption& each : events) {
    training.training_s += each.seconds;
    training.interruptions.push_back(std::move(each));
  }
  if (training.iteration == SimTime{0}) return;
  for (Interruption& each : training.interruptions) {
    each.steps = each.seconds / to_seconds(training.iteration);
  }
}

}  // namespace vgsim::scenario
