#pragma once

#include <string>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/scenario.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// Says which neighbours a host has, by their places in the list: hosts that differ in that are not
/// alike.
[[nodiscard]] std::string neighbours_of(const Layout& layout, const std::string& host);

/// Takes what neighbours use off the capacities of the cluster's links and cores. A link gives the
/// neighbours together what they ask for, but no more than half of it, as an arbiter that is fair
/// to them and to the job would. Reports hosts and devices that do not exist.
void seat_neighbours(const Layout& layout, Cluster& cluster, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
