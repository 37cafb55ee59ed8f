#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/split_ranks.hpp"
#include "models/training/split_step.hpp"
#include "models/training/virtualization.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// A job that splits more than its data, lowered to what the engine runs.
struct PreparedSplit {
  Shared<SplitRanks> ranks;
  training::SplitPlan plan;
  /// By stage: what makes a rank compute longer, in an iteration.
  std::vector<std::vector<training::ComputeLoss>> losses;
  std::vector<SimTime> slowed_by_traffic;  ///< by unit: what its passes take longer
};

/// Lowers the training job of a placement. All ranks compute as fast as `slowest`, since they wait
/// for each other in every layer, or in every step.
[[nodiscard]] PreparedSplit prepare_split(const Placement& placement, const Library& library,
                                          Shared<SplitRanks> ranks,
                                          const training::ComputeRates& slowest);

/// How the units of the first stage get their input: the first rank of each replica reads for all.
/// Adds routes to `placed`.
[[nodiscard]] std::vector<training::UnitFeed> feeds_of_units(
    const Placement& placement, const Library& library, const PreparedSplit& split,
    collectives::PlacedNetwork& placed, input::Diagnostics& diagnostics);

/// A rank of the job by its number.
[[nodiscard]] RankClass rank_class(const Placement& placement, std::size_t rank);

}  // namespace vgsim::scenario
