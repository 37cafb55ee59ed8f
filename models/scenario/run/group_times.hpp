#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/training/parallelism.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// How long collectives of the groups of a parallel job take, each simulated together with the same
/// collective of all other groups that meet it on a host.
class GroupTimes {
 public:
  GroupTimes(const Placement& placement, const Library& library, const RunSettings& settings,
             const training::Parallelism& parallelism);

  /// Of `size` bytes, as NCCL counts them. Nothing for groups of one rank.
  [[nodiscard]] SimTime time(training::Axis axis, collectives::Collective collective, Bytes size);
  /// From a rank to the one with the same place in the next pipeline stage, and back at once.
  [[nodiscard]] SimTime send(Bytes size);

 private:
  using Groups = std::vector<std::vector<std::size_t>>;

  [[nodiscard]] Groups meeting(const Groups& all) const;
  [[nodiscard]] SimTime simulate(const Groups& groups, collectives::Collective collective,
                                 Bytes size) const;
  [[nodiscard]] std::vector<JobMachine> machines_of(const std::vector<std::size_t>& ranks) const;

  const Placement& placement_;
  const Library& library_;
  const RunSettings& settings_;
  const training::Parallelism& parallelism_;
  std::vector<std::pair<std::size_t, std::size_t>> ranks_;  ///< index into job.machines, and GPU
  std::map<std::tuple<training::Axis, collectives::Collective, std::int64_t>, SimTime> known_;
};

}  // namespace vgsim::scenario
