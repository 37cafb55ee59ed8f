#pragma once

#include <optional>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/collectives/nccl/tuning/communicator.hpp"
#include "models/collectives/nccl/tuning/cost_model.hpp"
#include "models/collectives/nccl/tuning/work_split.hpp"
#include "models/collectives/rank_group.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives {

/// What NCCL runs for a call.
struct Choice {
  nccl::Candidate chosen;  ///< with NCCL's own prediction
  std::optional<nccl::Candidate> runner_up;
  nccl::WorkSplit work;
};

/// NCCL's choices for a group of ranks.
class Chooser {
 public:
  explicit Chooser(const RankGroup& ranks);

  /// Nothing for AllToAll and SendRecv, which NCCL does not choose for, and for a single rank.
  /// Throws NotConnected if NCCL_ALGO and NCCL_PROTO leave nothing to choose from.
  [[nodiscard]] std::optional<Choice> choose(Collective collective, Bytes size) const;
  /// All that NCCL could run for a call, what it chooses first; of each what it would choose if the
  /// others were ruled out.
  [[nodiscard]] std::vector<Choice> choices(Collective collective, Bytes size) const;

 private:
  [[nodiscard]] Choice choice_of(nccl::Function function, const nccl::Candidate& candidate,
                                 Bytes size) const;

  const RankGroup* ranks_;
  nccl::Communicator summary_;
  nccl::CostTable table_;
};

}  // namespace vgsim::collectives
