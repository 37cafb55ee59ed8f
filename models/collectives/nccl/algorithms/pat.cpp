#include <algorithm>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

bool pat_implemented(Function function, Protocol protocol, const Version& /*release*/) {
  return protocol == Protocol::kSimple &&
         (function == Function::kAllGather || function == Function::kReduceScatter);
}

bool pat_supported(const Communicator& comm) { return comm.ranks_per_node() == 1; }

double pat_speed(const AlgorithmCall& c) {
  if (c.release() < kSeparateCostModel) return speed_by_nodes(c);
  return std::min(c.graph().speed_intra, c.graph().speed_inter);
}

double pat_bandwidth(const AlgorithmCall& c, double bus) { return bus * c.constants.factors.pat; }

double pat_latency(const AlgorithmCall& c) {
  return c.comm.tree_depth() * c.step_between() / c.constants.pat_network_divisor +
         c.comm.ranks * c.constants.pat_per_rank;
}

std::int64_t pat_chunk(const AlgorithmCall& c, std::int64_t chunk, std::int64_t share) {
  constexpr std::int64_t kSmallest = 64 * 1024;
  const std::int64_t steps = c.function == Function::kAllGather ? 32 : 16;
  while (chunk * steps > share && chunk > kSmallest) chunk /= 2;
  return chunk;
}

}  // namespace

const AlgorithmRecord kPatRecord{.algorithm = Algorithm::kPat,
                                 .name = "pat",
                                 .graph = &Communicator::tree,
                                 .shares_channels = true,
                                 .implemented = &pat_implemented,
                                 .supported = &pat_supported,
                                 .channel_speed = &pat_speed,
                                 .bandwidth = &pat_bandwidth,
                                 .latency = &pat_latency,
                                 .ends_with_all_threads = true,
                                 .chunk = &pat_chunk};

}  // namespace vgsim::collectives::nccl
