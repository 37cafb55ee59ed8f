#pragma once

#include <cstdint>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/training_preparation.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::scenario {

/// A training job where no link of a kind holds data back.
struct RelaxedJob {
  Placement placement;
  PreparedTraining training;
};

/// Whether NCCL chooses anew, with what it reads of faster links, or goes on as it was.
enum class Choices : std::uint8_t { kAnew, kKept };

/// Whether NCCL reads the rate of such links: NIC ports and PCIe.
[[nodiscard]] bool nccl_reads(topology::LinkKind kind);

/// Takes all links of a kind out of a job's way. Choosing anew, NCCL finds NIC ports as fast as
/// their slots, and PCIe links of Gen5 x16. `units`: those of the job as it is.
[[nodiscard]] RelaxedJob relax(const Placement& placement, const Library& library,
                               topology::LinkKind kind, Choices choices,
                               const Shared<JobUnits>& units);

}  // namespace vgsim::scenario
