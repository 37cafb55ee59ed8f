#pragma once

#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/load_curves.hpp"
#include "models/scenario/run/topology_picture.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// The hosts of a layout (one per kind) and the fabric, with the load of each link in a time span:
/// `carried` is by ResourceId of the network. Traffic of a root port counts for the link below it;
/// of equal links the busiest is shown. Load curves are those of `ran`, if given.
[[nodiscard]] TopologyPicture draw_topology(const Placement& placement,
                                            const collectives::PlacedNetwork& network,
                                            const std::vector<Ratio>& carried, SimTime span,
                                            const RanIteration* ran = nullptr);

}  // namespace vgsim::scenario
