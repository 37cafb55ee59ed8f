#include "models/traces/traced_sums.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace vgsim::traces {
namespace {

struct GroupSums {
  double forward = 0;
  double all = 0;
  std::int64_t ranks = 0;
};

bool is_sum(const std::string& call) {
  return call.find("reduce") != std::string::npos && call != "reduce";
}

/// The pass in which a call was made, or nullptr.
TracedIteration* pass_of(const TracedCollective& call, std::vector<TracedIteration>& passes) {
  const auto behind =
      std::upper_bound(passes.begin(), passes.end(), call.operation,
                       [](std::size_t at, const auto& pass) { return at <= pass.first; });
  return behind == passes.begin() ? nullptr : &*std::prev(behind);
}

/// Whether a call is between two layers of the forward pass.
bool is_forward(const TracedCollective& call, const TracedIteration& pass) {
  return !pass.forward.empty() && call.operation > pass.forward.front().index &&
         call.operation <= pass.forward.back().index;
}

/// Tensor-parallel ranks sum equal amounts in the forward and the backward pass. Other groups can
/// reduce a loss, or the statistics of a norm.
bool shares_layers(const GroupSums& sums) {
  constexpr double kLeastForward = 0.1;
  return sums.forward > kLeastForward * sums.all;
}

}  // namespace

void add_sums(const Trace& trace, TracedPasses& passes) {
  std::map<std::string, GroupSums> groups;
  for (const TracedCollective& call : trace.collectives) {
    const TracedIteration* pass = pass_of(call, passes.passes);
    if (pass == nullptr || !is_sum(call.name)) continue;
    GroupSums& group = groups[call.group];
    group.all += call.bytes;
    group.forward += is_forward(call, *pass) ? call.bytes : 0;
    group.ranks = std::max(group.ranks, call.ranks);
  }
  for (const auto& [name, group] : groups) {
    if (!shares_layers(group)) continue;
    if (name.empty()) {
      passes.unknown_forward_bytes = group.forward / static_cast<double>(passes.passes.size());
    } else {
      passes.tensor_ranks = std::max(passes.tensor_ranks, group.ranks);
    }
  }
  for (const TracedCollective& call : trace.collectives) {
    TracedIteration* pass = pass_of(call, passes.passes);
    if (pass == nullptr || !is_sum(call.name)) continue;
    const bool tensor = !call.group.empty() && shares_layers(groups[call.group]);
    (tensor ? pass->tensor_bytes : pass->reduced_bytes) += call.bytes;
  }
}

}  // namespace vgsim::traces
