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

/// An event that stops one VM of a job, and thereby all ranks.
struct Disruption {
  DisruptionKind kind{};
  std::size_t machine = 0;  ///< index into Cluster::machines
  SimTime at{};             ///< from the start of the training
};

/// Timing of the job's checkpoints.
struct Checkpoints {
  SimTime every{};  ///< 0: never
  SimTime save{};   ///< time until it is written
  SimTime stop{};   ///< part of `save` during which training stops
  SimTime restore{};

  /// Work lost by a failure at `at`: since the start of the last completed checkpoint.
  [[nodiscard]] SimTime lost_at(SimTime at) const;
};

/// No checkpoints without a spec.
[[nodiscard]] Checkpoints checkpoints_of(const std::optional<CheckpointsSpec>& spec);

/// Bandwidth of a vMotion: the slower network of source and target, where the target is the host
/// with the fastest network that can take the machine; that of the source if there is no target.
[[nodiscard]] BytesPerSecond vmotion_network(const Cluster& cluster, const Relocation& relocation,
                                             std::size_t machine);

/// Why a machine cannot be moved to any host: it does not support vMotion, or vSphere's largest
/// estimated stun time over that network exceeds its limit. Nothing if it can.
[[nodiscard]] std::optional<std::string> cannot_move(const Cluster& cluster,
                                                     const Relocation& relocation,
                                                     std::size_t machine, const Library& library);

/// The disruptions of a layout. Reports unknown VMs, and operations that this vSphere version does
/// not support for them (vMotion, restart by HA).
[[nodiscard]] std::vector<Disruption> find_disruptions(const Layout& layout, const Cluster& cluster,
                                                       const Library& library,
                                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
