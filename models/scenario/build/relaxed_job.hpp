#pragma once

#include <cstdint>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::scenario {

/// A training job with infinitely fast links of one kind.
struct RelaxedJob {
  Placement placement;
  PreparedTraining training;
};

/// Whether NCCL makes new choices for the faster links, or keeps its choices.
enum class Choices : std::uint8_t { kAnew, kKept };

/// Whether NCCL reads the rate of links of this kind (NIC ports and PCIe).
[[nodiscard]] bool nccl_reads(topology::LinkKind kind);

/// Makes all links of a kind infinitely fast. For new choices NCCL reads NIC ports as fast as their
/// slots, and PCIe links of Gen5 x16. `units`: those of the unchanged job.
[[nodiscard]] RelaxedJob relax(const Placement& placement, const Library& library,
                               topology::LinkKind kind, Choices choices,
                               const Shared<JobUnits>& units);

}  // namespace vgsim::scenario
