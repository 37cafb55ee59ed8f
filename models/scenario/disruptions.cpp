#include "models/scenario/disruptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/scenario/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/host_input.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using Kind = Disruption::Kind;

SimTime time_or_zero(const Value& object, const char* key) {
  const auto value = find(object, key);
  return value ? as_time(*value) : SimTime{0};
}

Kind kind_of(const std::string& word) {
  if (word == "vmotion") return Kind::kVmotion;
  return word == "restart" ? Kind::kRestart : Kind::kHostFailure;
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kVmotion:
      return "vMotion";
    case Kind::kRestart:
      return "planned restart";
    case Kind::kHostFailure:
      return "host failure";
  }
  return "?";
}

void check_possible(const Disruption& disruption, const Value& at, const Cluster& cluster,
                    const Library& library, Diagnostics& diagnostics) {
  if (disruption.kind == Kind::kRestart) return;
  const Machine& machine = cluster.machines[disruption.machine];
  const auto operation =
      disruption.kind == Kind::kVmotion ? vsphere::Operation::kVmotion : vsphere::Operation::kHa;
  const auto reason = vsphere::lacks(cluster.kinds[machine.kind], operation,
                                     library.vsphere.versions, cluster.vsphere);
  if (!reason) return;
  topology::report(diagnostics, at,
                   fmt::format("{} has no {} in vSphere {}: {}", machine.name,
                               vsphere::to_string(operation), cluster.vsphere, *reason),
                   "\"kind\": \"restart\", or a VM that has it");
}

bool overlaps(const Value& checkpoints) {
  const auto overlap = find(checkpoints, "overlap");
  return overlap && as_bool(*overlap);
}

}  // namespace

Shape disruptions_shape() {
  return array_shape(
      object_shape({
          field("kind", enum_shape({"vmotion", "restart", "host_failure"}))
              .required()
              .describe("vmotion: the VM is moved while it runs; restart: planned, from a "
                        "checkpoint that is saved before; host_failure: HA starts it elsewhere, "
                        "from the last checkpoint"),
          field("vm", name_shape()).required().describe("VM of the job"),
          field("at", time_shape()).required().describe("time from the start of the training"),
      }),
      1, 10'000);
}

Shape checkpoints_shape() {
  return object_shape({
      field("every", time_shape(SimTime{1})).required().describe("time between two"),
      field("save", time_shape())
          .describe("time to write one; training stands still, unless it overlaps")
          .default_text("0 s"),
      field("overlap", boolean_shape())
          .describe("training goes on while one is written, from a copy of its state")
          .default_text("false"),
      field("snapshot", time_shape())
          .describe("of one that overlaps: time that training stands still for the copy")
          .default_text("0 s"),
      field("restore", time_shape()).describe("time to load one").default_text("0 s"),
  });
}

std::vector<Disruption> read_disruptions(const LayoutInput& layout, const Cluster& cluster,
                                         const Library& library, Diagnostics& diagnostics) {
  std::vector<Disruption> disruptions;
  const auto list = find(layout.value, "disruptions");
  if (!list) return disruptions;
  std::map<std::string, std::size_t> machine_of;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    machine_of.emplace(cluster.machines[m].name, m);
  }
  for (const Value& entry : list->elements()) {
    const auto* machine = topology::look_up(machine_of, *find(entry, "vm"), "VM", diagnostics);
    if (machine == nullptr) continue;
    disruptions.push_back(
        {kind_of(as_string(*find(entry, "kind"))), *machine, as_time(*find(entry, "at"))});
    check_possible(disruptions.back(), entry, cluster, library, diagnostics);
  }
  return disruptions;
}

Checkpoints read_checkpoints(const Value& job) {
  const auto value = find(job, "checkpoints");
  if (!value) return {};
  return {time_or_zero(*value, "every"), time_or_zero(*value, "save"),
          time_or_zero(*value, overlaps(*value) ? "snapshot" : "save"),
          time_or_zero(*value, "restore")};
}

SimTime Checkpoints::lost_at(SimTime at) const {
  const SimTime beside = save - stop;  // written while training goes on
  if (every == SimTime{0} || at < beside) return at;
  return SimTime{(at - beside).count() % every.count()} + beside;
}

void check_checkpoints(const Value& job, Diagnostics& diagnostics) {
  const auto value = find(job, "checkpoints");
  if (!value) return;
  const auto snapshot = find(*value, "snapshot");
  if (snapshot && !overlaps(*value)) {
    topology::report(diagnostics, *snapshot, "\"snapshot\" belongs to a checkpoint that overlaps",
                     "\"overlap\": true");
  }
  const Checkpoints checkpoints = read_checkpoints(job);
  if (!overlaps(*value)) return;
  if (checkpoints.stop > checkpoints.save) {
    topology::report(diagnostics, *value, "the snapshot takes longer than the whole checkpoint",
                     "\"snapshot\" up to \"save\"");
  }
  if (checkpoints.save > checkpoints.every) {
    topology::report(diagnostics, *value, "a checkpoint is not written when the next one starts",
                     "\"every\" of \"save\" at least");
  }
}

void add_disruptions(const std::vector<Disruption>& disruptions, const Checkpoints& checkpoints,
                     const Cluster& cluster, const Library& library, TrainingResult& result) {
  if (checkpoints.every > SimTime{0} && checkpoints.stop > SimTime{0}) {
    const double count = std::floor(result.training_s / to_seconds(checkpoints.every));
    result.interruptions.push_back({"checkpoints", count * to_seconds(checkpoints.stop),
                                    fmt::format("{:.0f} of them", count)});
  }
  const SimTime restart = library.parameters.time("ha_restart_time");
  for (const Disruption& disruption : disruptions) {
    const Machine& machine = cluster.machines[disruption.machine];
    Interruption interruption{fmt::format("{} of {}", name_of(disruption.kind), machine.name), 0.0,
                              ""};
    switch (disruption.kind) {
      case Kind::kVmotion:
        interruption.seconds = to_seconds(
            vsphere::expected_stun(cluster.kinds[machine.kind],
                                   cluster.inventory[cluster.hosts[machine.host].kind].settings,
                                   library.vsphere.versions, cluster.vsphere, library.parameters));
        interruption.why = "all ranks wait while the framebuffer is moved";
        break;
      case Kind::kRestart:
        interruption.seconds = to_seconds(checkpoints.save + restart + checkpoints.restore);
        interruption.why = "checkpoint, start of the VM, and loading";
        break;
      case Kind::kHostFailure:
        interruption.seconds =
            to_seconds(checkpoints.lost_at(disruption.at) + restart + checkpoints.restore);
        interruption.why = checkpoints.every > SimTime{0}
                               ? "work since the last checkpoint, restart by HA, and loading"
                               : "all work until then, restart by HA, and loading";
        break;
    }
    result.interruptions.push_back(std::move(interruption));
  }
  for (const Interruption& each : result.interruptions) result.training_s += each.seconds;
}

}  // namespace vgsim::scenario
