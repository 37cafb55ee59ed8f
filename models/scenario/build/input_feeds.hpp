#pragma once

#include <utility>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/step_plan.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// The input of each unit in an iteration. `readers`: ranks that read, each with the unit that
/// waits for it; readers without data to fetch have no feed. Adds routes to `placed`. Reports
/// unknown hosts and NICs of clients.
[[nodiscard]] std::vector<training::UnitFeed> input_feeds(
    const Placement& placement, const Library& library,
    const std::vector<std::pair<std::size_t, std::size_t>>& readers,
    collectives::PlacedNetwork& placed, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
