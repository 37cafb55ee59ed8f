#include <algorithm>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

bool tree_implemented(Function function, Protocol /*protocol*/, const Version& /*release*/) {
  return function == Function::kAllReduce;
}

/// From 2.31 on, a tree of Blackwell GPUs is as fast as its slower part.
double tree_speed(const AlgorithmCall& c) {
  if (c.release() < kSeparateCostModel || c.comm.min_sm < 100) return speed_by_nodes(c);
  return std::min(c.graph().speed_intra, c.graph().speed_inter);
}

double tree_bandwidth(const AlgorithmCall& c, double bus) {
  const BandwidthFactors& f = c.constants.factors;
  bus = std::min(bus * f.tree, c.cap(c.constants.tree_channel_max));
  if (c.protocol == Protocol::kLl) bus = std::min(bus * f.tree_ll, c.ll_max());
  if (c.protocol == Protocol::kLl128) {
    bus = std::min(bus * (c.comm.nodes == 1 ? f.tree_ll128_one_node : f.tree_ll128),
                   c.cap(c.constants.tree_ll128_channel_max));
  }
  return c.graph().pattern == Pattern::kTree && f.tree_chain > 0 ? bus * f.tree_chain : bus;
}

double tree_latency(const AlgorithmCall& c) {
  const int per_node = c.comm.ranks_per_node();
  return 2 * ((per_node - 1) * c.step_inside() + c.comm.tree_depth() * c.step_between());
}

double tree_size_correction(const AlgorithmCall& c, Bytes size) {
  if (!c.all_reduce()) return 1;
  return correction_at(c.constants.tree_correction[static_cast<std::size_t>(c.protocol)], size);
}

/// Chunks of LL128 shrink with the share, so that the pipeline fills.
std::int64_t tree_chunk(const AlgorithmCall& c, std::int64_t chunk, std::int64_t share) {
  constexpr std::int64_t kKiB = 1024;
  /// A line is 120 bytes of data and 8 of flags; a warp moves 16 of them at a time.
  constexpr std::int64_t kLl128Lines = 1920;
  if (c.protocol != Protocol::kLl128) return chunk;
  const double per_node = c.comm.ranks_per_node();
  const double steps = 1 + c.comm.tree_depth() + 0.1 * per_node;
  const auto pieces = [&] { return static_cast<double>(share / chunk); };
  while (pieces() < 64 * steps / per_node && chunk > 128 * kKiB) chunk /= 2;
  while (pieces() < 16 * steps / per_node && chunk > 32 * kKiB) chunk /= 2;
  return chunk / kLl128Lines * kLl128Lines;
}

int tree_threads(const AlgorithmCall& c) { return c.threads_of_protocol(); }

}  // namespace

const AlgorithmRecord kTreeRecord{.algorithm = Algorithm::kTree,
                                  .name = "tree",
                                  .graph = &Communicator::tree,
                                  .shares_channels = true,
                                  .implemented = &tree_implemented,
                                  .channel_speed = &tree_speed,
                                  .bandwidth = &tree_bandwidth,
                                  .latency = &tree_latency,
                                  .size_correction = &tree_size_correction,
                                  .ends_with_all_threads = true,
                                  .most_threads = &tree_threads,
                                  .chunk = &tree_chunk};

}  // namespace vgsim::collectives::nccl
