#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/scenario/read/scenario.hpp"
#include "sim/ratio.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Cluster;
struct Library;

/// The capacity of each link of a cluster in bytes/s (cores: picoseconds of work per second), by
/// ResourceId = LinkResourceIndex.
struct Capacities {
  std::vector<Ratio> of_link;
  std::vector<std::string> assumptions;
};

/// Catalogue rates times the measured rate factors, minus the load of neighbours. Neighbours get
/// the rate they request, but together at most half of a link (fair sharing with the job). Reports
/// neighbours on unknown hosts and devices.
[[nodiscard]] Capacities capacities_of(const Cluster& cluster, const Layout& layout,
                                       const Library& library, input::Diagnostics& diagnostics);

/// Busy cores of a neighbour: as stated, else those for TCP and the virtual switch of its traffic
/// over a NIC; a DPU runs the switch.
[[nodiscard]] double cores_of(const NeighbourSpec& neighbour, bool dpu_offload,
                              const calibration::Parameters& parameters);

/// The neighbours of a host as a key, by their indices in the list: hosts with different neighbours
/// are not equivalent.
[[nodiscard]] std::string neighbours_of(const Layout& layout, const std::string& host);

}  // namespace vgsim::scenario
