#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"

namespace vgsim::scenario {

struct Library;
class Relocation;

/// Duration and reason of a stop of all ranks.
struct Stop {
  double seconds = 0.0;
  std::string why;
};

/// vMotion of a machine of the job: the expected stun time over the slower network (see
/// vmotion_network). If RDMA or a collective times out, the job restarts from its last checkpoint
/// and repeats `lost_s` seconds of work.
[[nodiscard]] Stop vmotion_stop(const Placement& placed, const Relocation& relocation,
                                std::size_t machine, double lost_s, const Checkpoints& checkpoints,
                                const Library& library);

/// Why HA cannot restart the job's VMs of a failed host; empty if it can.
[[nodiscard]] std::string why_no_restart(const Placement& placed, const Relocation& relocation,
                                         std::size_t host, const Library& library);

}  // namespace vgsim::scenario
