#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/scenario.hpp"
#include "sim/ratio.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Cluster;
struct Library;

/// What each link of a cluster can carry, in bytes/s (cores: picoseconds of work a second), by
/// ResourceId = LinkResourceIndex.
struct Capacities {
  std::vector<Ratio> of_link;
  std::vector<std::string> assumptions;
};

/// What the catalogue gives, times what measurements leave of it, without what neighbours use. A
/// link gives the neighbours together what they ask for, but no more than half of it, as an arbiter
/// that is fair to them and to the job would. Reports neighbours on hosts and devices that do not
/// exist.
[[nodiscard]] Capacities capacities_of(const Cluster& cluster, const Layout& layout,
                                       const Library& library, input::Diagnostics& diagnostics);

/// Says which neighbours a host has, by their places in the list: hosts that differ in that are not
/// alike.
[[nodiscard]] std::string neighbours_of(const Layout& layout, const std::string& host);

}  // namespace vgsim::scenario
