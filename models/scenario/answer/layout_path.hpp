#pragma once

#include "models/scenario/run/traffic_path.hpp"

namespace vgsim::scenario {

struct PreparedLayout;

/// The path of the job's collectives. `slowest`: the slowest transport between neighbours of a
/// ring.
[[nodiscard]] TrafficPath traffic_path_of(const PreparedLayout& layout,
                                          collectives::Transport slowest);

}  // namespace vgsim::scenario
