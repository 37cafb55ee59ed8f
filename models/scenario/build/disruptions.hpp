#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;
class Relocation;

/// Something that stops one VM of a job, and so all of its ranks.
struct Disruption {
  DisruptionKind kind{};
  std::size_t machine = 0;  ///< index into Cluster::machines
  SimTime at{};             ///< from the start of the training
};

/// How the job saves what it has learnt.
struct Checkpoints {
  SimTime every{};  ///< 0: never
  SimTime save{};   ///< until it is written
  SimTime stop{};   ///< of it, time that training stands still
  SimTime restore{};

  /// Work that is lost when the job fails: since the start of the last one that was written.
  [[nodiscard]] SimTime lost_at(SimTime at) const;
};

/// Without a spec none is ever saved.
[[nodiscard]] Checkpoints checkpoints_of(const std::optional<CheckpointsSpec>& spec);

/// Of both ends of a vMotion the slower network, where the machine goes to the host with the
/// fastest one of those that have room for it; its own where none has.
[[nodiscard]] BytesPerSecond vmotion_network(const Cluster& cluster, const Relocation& relocation,
                                             std::size_t machine);

/// Why a machine cannot be moved while it runs, wherever it would go: it lacks vMotion, or the
/// largest stun that vSphere estimates over that network exceeds its limit. Nothing if it can.
[[nodiscard]] std::optional<std::string> cannot_move(const Cluster& cluster,
                                                     const Relocation& relocation,
                                                     std::size_t machine, const Library& library);

/// The disruptions of a layout. Reports VMs that do not exist, and what they cannot do in this
/// version of vSphere: vMotion, or a restart elsewhere.
[[nodiscard]] std::vector<Disruption> find_disruptions(const Layout& layout, const Cluster& cluster,
                                                       const Library& library,
                                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
