#pragma once

#include "models/scenario/run/traffic_path.hpp"

namespace vgsim::scenario {

struct PreparedLayout;

/// The path of the job's collectives; empty if its ranks do not communicate.
[[nodiscard]] TrafficPath traffic_path_of(const PreparedLayout& layout);

}  // namespace vgsim::scenario
