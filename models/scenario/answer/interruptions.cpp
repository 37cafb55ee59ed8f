#include "models/scenario/answer/interruptions.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "models/scenario/build/stops.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

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

}  // namespace

void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, TrainingResult& result) {
  const Cluster& cluster = *placed.cluster;
  const Checkpoints checkpoints = checkpoints_of(placed.layout->job->training.checkpoints);
  if (checkpoints.every > SimTime{0} && checkpoints.stop > SimTime{0}) {
    const double count = std::floor(result.training_s / to_seconds(checkpoints.every));
    result.interruptions.push_back({"checkpoints", count * to_seconds(checkpoints.stop),
                                    fmt::format("{:.0f} of them", count), 0.0});
  }
  const SimTime restart = library.parameters.time("ha_restart_time");
  for (const Disruption& disruption : disruptions) {
    const Machine& machine = cluster.machines[disruption.machine];
    Interruption interruption{fmt::format("{} of {}", name_of(disruption.kind), machine.name), 0.0,
                              "", 0.0};
    switch (disruption.kind) {
      case DisruptionKind::kVmotion: {
        const Stop stop =
            vmotion_stop(placed, disruption.machine, to_seconds(checkpoints.lost_at(disruption.at)),
                         checkpoints, library);
        interruption.seconds = stop.seconds;
        interruption.why = stop.why;
        break;
      }
      case DisruptionKind::kRestart:
        interruption.seconds = to_seconds(checkpoints.save + restart + checkpoints.restore);
        interruption.why = "checkpoint, start of the VM, and loading";
        break;
      case DisruptionKind::kHostFailure:
        interruption.seconds =
            to_seconds(checkpoints.lost_at(disruption.at) + restart + checkpoints.restore);
        interruption.why = checkpoints.every > SimTime{0}
                               ? "work since the last checkpoint, restart by HA, and loading"
                               : "all work until then, restart by HA, and loading";
        break;
    }
    result.interruptions.push_back(std::move(interruption));
  }
  for (Interruption& each : result.interruptions) {
    if (result.iteration > SimTime{0}) each.steps = each.seconds / to_seconds(result.iteration);
    result.training_s += each.seconds;
  }
}

}  // namespace vgsim::scenario
