#pragma once

#include <utility>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/step_plan.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// How units of a job get their input of an iteration. `readers`: ranks that read, each with the
/// unit that waits for it; those that have nothing to fetch have no feed. Adds routes to `placed`.
/// Reports hosts and NICs of clients that do not exist.
[[nodiscard]] std::vector<training::UnitFeed> input_feeds(
    const Placement& placement, const Library& library,
    const std::vector<std::pair<std::size_t, std::size_t>>& readers,
    collectives::PlacedNetwork& placed, input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
