#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"

namespace vgsim::scenario {

struct Library;

/// How long something stops all ranks of a job, and why.
struct Stop {
  double seconds = 0.0;
  std::string why;
};

/// vMotion of a machine of the job: the expected stun over the slower of the two networks, where
/// the VM may go to any other host with such GPUs. If its peers wait no longer, over RDMA or for a
/// collective, the job starts again from its last checkpoint, and `lost_s` seconds of work are done
/// again.
[[nodiscard]] Stop vmotion_stop(const Placement& placed, std::size_t machine, double lost_s,
                                const Checkpoints& checkpoints, const Library& library);

}  // namespace vgsim::scenario
