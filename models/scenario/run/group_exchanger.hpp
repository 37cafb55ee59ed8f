#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/fidelity.hpp"
#include "models/collectives/lowering.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/step_graph.hpp"

namespace vgsim::scenario {

/// Exchanges of a job's groups as flows over the links of its hosts and fabric. The fidelity is
/// that of the collectives of all ranks; those of other communicators are fluid.
class GroupExchanger final : public training::Exchanger {
 public:
  /// Adds routes to `placed` when needed. All arguments must outlive it.
  GroupExchanger(const Placement& placement, const JobUnits& units,
                 collectives::PlacedNetwork& placed, collectives::Fidelity fidelity);

  [[nodiscard]] collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t group,
                                                      const training::Exchange& exchange,
                                                      collectives::TaskLabel label) override;
  [[nodiscard]] collectives::CollectiveTasks send(TaskGraph& graph, std::size_t from,
                                                  std::size_t to, Bytes size,
                                                  collectives::TaskLabel label) override;

  /// The lowering for all ranks of the job.
  [[nodiscard]] collectives::Lowering& of_all() { return all_; }

 private:
  const JobUnits& units_;
  collectives::Lowering all_;
  std::vector<collectives::Lowering> communicators_;  ///< by JobUnits::communicators
};

}  // namespace vgsim::scenario
