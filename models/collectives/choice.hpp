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

 private:
  const RankGroup* ranks_;
  nccl::Communicator summary_;
  nccl::CostTable table_;
};

}  // namespace vgsim::collectives
