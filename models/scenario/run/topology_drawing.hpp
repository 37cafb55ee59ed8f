#pragma once

#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/load_curves.hpp"
#include "models/scenario/run/topology_picture.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// The hosts of a layout, those of one kind once, and the fabric, with what each link carried
/// within a time span: `carried` is by ResourceId of the network. What a root port passes on counts
/// as use of the link below it; of links that are alike the busiest is shown. Loads over time are
/// those of `ran`, where there is one.
[[nodiscard]] TopologyPicture draw_topology(const Placement& placement,
                                            const collectives::PlacedNetwork& network,
                                            const std::vector<Ratio>& carried, SimTime span,
                                            const RanIteration* ran = nullptr);

}  // namespace vgsim::scenario
