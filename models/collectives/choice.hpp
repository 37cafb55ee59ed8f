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

/// The algorithm, protocol and channels that NCCL uses for a call.
struct Choice {
  nccl::Candidate chosen;  ///< with NCCL's own prediction
  std::optional<nccl::Candidate> runner_up;
  nccl::WorkSplit work;
};

/// NCCL's choices for a group of ranks.
class Chooser {
 public:
  explicit Chooser(const RankGroup& ranks);

  /// Nothing for AllToAll and SendRecv, for which NCCL makes no choice, and for a single rank.
  /// Throws NotConnected if NCCL_ALGO and NCCL_PROTO exclude every choice.
  [[nodiscard]] std::optional<Choice> choose(Collective collective, Bytes size) const;
  /// All choices for a call, NCCL's own first; each with the channels that NCCL would use if the
  /// others were excluded.
  [[nodiscard]] std::vector<Choice> choices(Collective collective, Bytes size) const;

 private:
  [[nodiscard]] Choice choice_of(nccl::Function function, const nccl::Candidate& candidate,
                                 Bytes size) const;

  const RankGroup* ranks_;
  nccl::Communicator summary_;
  nccl::CostTable table_;
};

}  // namespace vgsim::collectives
