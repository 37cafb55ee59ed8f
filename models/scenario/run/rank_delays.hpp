#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/scenario/build/job_units.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/training/step_graph.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// Random variation of computing times (RunOptions::vary_delay): in each iteration, all computing
/// of a rank is multiplied by a log-normal factor. A unit of several ranks in lockstep is as slow
/// as the slowest of them.
///
/// Equivalent ranks (JobUnits::equivalent) are simulated as two units. One is the rank that is the
/// slowest in the last iteration. The other represents the remaining ranks: each of its passes ends
/// when the last of them has ended its own. The times of exchanges are those of a simulation of
/// each rank, since exchanges wait for all ranks.
class RankDelays {
 public:
  /// `training` must outlive it. `iterations`: those that will be simulated.
  RankDelays(const Placement& placement, const JobUnits& units,
             const training::TrainingGraph& training, std::uint64_t seed, std::uint64_t iterations);

  /// To be called for the tasks of a unit in their order, once for each iteration.
  [[nodiscard]] SimTime operator()(TaskId task, std::uint64_t iteration, SimTime delay);

 private:
  struct DrawnUnit {
    std::vector<std::uint64_t> streams;  ///< of its ranks
    bool lockstep = true;                ///< otherwise ranks meet at the optimizer only
    std::uint64_t iteration = static_cast<std::uint64_t>(-1);  ///< of the factors
    std::vector<double> factors;                               ///< of its ranks
    double largest = 1.0;                                      ///< of the factors
    std::vector<SimTime> passed;  ///< by rank: its computing since all ranks were together
    SimTime reached{};            ///< the longest of these
  };

  void draw(DrawnUnit& unit, std::uint64_t iteration) const;

  const training::TrainingGraph& training_;
  double sigma_;
  std::vector<DrawnUnit> units_;
};

/// The rank that is the slowest in an iteration, of several the first.
[[nodiscard]] std::size_t slowest_rank(const Placement& placement, const EquivalentRanks& ranks,
                                       std::uint64_t seed, std::uint64_t iteration);

}  // namespace vgsim::scenario
