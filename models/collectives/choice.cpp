#include "models/collectives/choice.hpp"

#include <fmt/core.h>

#include "models/collectives/nccl/tuning/decided_communicator.hpp"

namespace vgsim::collectives {
namespace {

std::optional<nccl::Function> function_of(Collective collective) {
  switch (collective) {
    case Collective::kAllReduce:
      return nccl::Function::kAllReduce;
    case Collective::kReduceScatter:
      return nccl::Function::kReduceScatter;
    case Collective::kAllGather:
      return nccl::Function::kAllGather;
    case Collective::kBroadcast:
      return nccl::Function::kBroadcast;
    case Collective::kReduce:
      return nccl::Function::kReduce;
    case Collective::kAllToAll:
    case Collective::kSendRecv:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Chooser::Chooser(const RankGroup& ranks) : ranks_(&ranks) {
  if (!ranks.is_joined()) return;
  const NcclInput& input = ranks.nccl();
  summary_ = nccl::communicator_of(ranks.decision(), input.settings, input.constants);
  summary_.nvls_sums = input.nvls_sums;
  table_ = nccl::cost_table(summary_, input.constants, input.filter);
}

std::optional<Choice> Chooser::choose(Collective collective, Bytes size) const {
  const auto function = function_of(collective);
  if (!function || !ranks_->is_joined()) return std::nullopt;
  const std::vector<nccl::Candidate> candidates =
      nccl::candidates(table_, *function, size, summary_, ranks_->nccl().constants);
  if (candidates.empty()) {
    throw NotConnected(fmt::format("NCCL_ALGO and NCCL_PROTO exclude every algorithm for {}",
                                   to_string(collective)));
  }
  Choice choice = choice_of(*function, candidates.front(), size);
  if (candidates.size() > 1) choice.runner_up = candidates[1];
  return choice;
}

std::vector<Choice> Chooser::choices(Collective collective, Bytes size) const {
  const auto function = function_of(collective);
  std::vector<Choice> result;
  if (!function || !ranks_->is_joined()) return result;
  for (const nccl::Candidate& candidate :
       nccl::candidates(table_, *function, size, summary_, ranks_->nccl().constants)) {
    result.push_back(choice_of(*function, candidate, size));
  }
  return result;
}

Choice Chooser::choice_of(nccl::Function function, const nccl::Candidate& candidate,
                          Bytes size) const {
  return {candidate, std::nullopt,
          nccl::split_work(function, candidate.algorithm, candidate.protocol, size, summary_,
                           ranks_->nccl().constants)};
}

}  // namespace vgsim::collectives
