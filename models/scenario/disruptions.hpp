#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/scenario/cluster.hpp"
#include "models/scenario/layouts.hpp"
#include "models/scenario/result.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shape.hpp"

namespace vgsim::scenario {

struct Library;

/// Something that stops one VM of a job, and so all of its ranks.
struct Disruption {
  enum class Kind : std::uint8_t {
    kVmotion,      ///< the VM is moved while it runs
    kRestart,      ///< planned: a checkpoint is saved, the VM starts elsewhere and loads it
    kHostFailure,  ///< HA starts the VM elsewhere; work since the last checkpoint is done again
  };
  Kind kind = Kind::kVmotion;
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

/// The shapes of a layout's "disruptions" and of a job's "checkpoints".
[[nodiscard]] input::Shape disruptions_shape();
[[nodiscard]] input::Shape checkpoints_shape();

/// Reads a layout's disruptions. Reports VMs that do not exist, and what they cannot do in this
/// version of vSphere: vMotion, or a restart elsewhere.
[[nodiscard]] std::vector<Disruption> read_disruptions(const LayoutInput& layout,
                                                       const Cluster& cluster,
                                                       const Library& library,
                                                       input::Diagnostics& diagnostics);

/// Reports checkpoints that are not written when the next one starts, and a snapshot of one that
/// does not overlap.
void check_checkpoints(const input::Value& job, input::Diagnostics& diagnostics);

/// Reads a job's checkpoints.
[[nodiscard]] Checkpoints read_checkpoints(const input::Value& job);

/// Adds to the training time what checkpoints and disruptions cost. vMotion stops all ranks for the
/// expected stun; a failure costs the work since the last checkpoint, the restart and the loading.
void add_disruptions(const std::vector<Disruption>& disruptions, const Checkpoints& checkpoints,
                     const Cluster& cluster, const Library& library, TrainingResult& result);

}  // namespace vgsim::scenario
