#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"

namespace vgsim::scenario {

struct Library;
class Relocation;

/// How long something stops all ranks of a job, and why.
struct Stop {
  double seconds = 0.0;
  std::string why;
};

/// vMotion of a machine of the job: the expected stun over the slower of the two networks (see
/// vmotion_network). If its peers wait no longer, over RDMA or for a collective, the job starts
/// again from its last checkpoint, and work of `lost_s` seconds is done again.
[[nodiscard]] Stop vmotion_stop(const Placement& placed, const Relocation& relocation,
                                std::size_t machine, double lost_s, const Checkpoints& checkpoints,
                                const Library& library);

/// Why HA cannot restart the job's VMs of a host that fails; empty if it restarts all of them.
[[nodiscard]] std::string why_no_restart(const Placement& placed, const Relocation& relocation,
                                         std::size_t host, const Library& library);

}  // namespace vgsim::scenario
