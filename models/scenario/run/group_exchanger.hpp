#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/split_preparation.hpp"
#include "models/training/split_step.hpp"

namespace vgsim::scenario {

/// Exchanges of a job's teams as flows over the links of its hosts and fabric.
class GroupExchanger final : public training::Exchanger {
 public:
  /// Adds routes to `placed` as they are needed. All must outlive it.
  GroupExchanger(const Placement& placement, const SplitRanks& ranks,
                 collectives::PlacedNetwork& placed);

  [[nodiscard]] collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t team,
                                                      const training::Exchange& exchange,
                                                      collectives::TaskLabel label) override;
  [[nodiscard]] collectives::CollectiveTasks send(TaskGraph& graph, std::size_t from,
                                                  std::size_t to, Bytes size,
                                                  collectives::TaskLabel label) override;

 private:
  const SplitRanks& ranks_;
  collectives::Lowering all_;                  ///< of all ranks of the job
  std::vector<collectives::Lowering> groups_;  ///< by SplitRanks::groups
};

}  // namespace vgsim::scenario
