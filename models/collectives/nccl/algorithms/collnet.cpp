#include <algorithm>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

constexpr std::int64_t kCollNetKiB = 1024;

double collnet_speed(const AlgorithmCall& c) { return c.graph().speed_intra; }

std::int64_t collnet_bytes_per_thread(const AlgorithmCall& c) {
  return c.constants.work.bytes_per_thread_collnet;
}

// Each GPU of a node reduces a part of its peers' data and sends it to the network for reduction.

bool direct_implemented(Function function, Protocol protocol, const Version& release) {
  const bool gathers = function == Function::kAllGather || function == Function::kReduceScatter;
  return protocol == Protocol::kSimple &&
         (function == Function::kAllReduce || (gathers && release >= Version{2, 19, 0}));
}

bool direct_supported(const Communicator& comm) { return comm.collnet && comm.nvswitch; }

/// Full bandwidth needs a NIC for each GPU of a node.
double direct_bandwidth(const AlgorithmCall& c, double bus) {
  const double per_node = c.comm.ranks_per_node();
  const AgreedGraph& graph = c.graph();
  if (c.gathers()) return per_node * std::min(graph.speed_intra, graph.speed_inter * 0.9);
  bus /= (1 + per_node / c.channels()) / 2;
  const double sm90 = c.constants.factors.collnet_direct_sm90;
  return c.comm.min_sm >= 90 && sm90 > 0 ? bus * sm90 : bus;
}

double direct_latency(const AlgorithmCall& c) {
  const int peers = c.comm.ranks_per_node() - 1;
  return 2 * (std::min(1, peers) * c.step_inside() + peers * c.constants.collnet_direct_per_peer) +
         c.step_between();
}

std::int64_t direct_chunk(const AlgorithmCall& c, std::int64_t slot, std::int64_t share) {
  constexpr std::int64_t kDepth = 2;
  ChunkShrinker shrinker{share, std::max(c.comm.collnet_direct.channels, 1), slot};
  shrinker.halve_to(128 * kCollNetKiB, 64 * kDepth);
  shrinker.halve_to(32 * kCollNetKiB, 8 * kDepth);
  return shrinker.chunk;
}

// A chain through the GPUs of a node; its last GPU sends the sum to the network for reduction.

bool chain_implemented(Function function, Protocol protocol, const Version& /*release*/) {
  return protocol == Protocol::kSimple && function == Function::kAllReduce;
}

bool chain_supported(const Communicator& comm) { return comm.collnet; }

double chain_bandwidth(const AlgorithmCall& c, double bus) {
  const double factor = c.constants.factors.collnet_chain;
  return factor > 0 ? bus * factor : bus;
}

double chain_latency(const AlgorithmCall& c) {
  const double inside = 2 * (c.comm.ranks_per_node() - 1) * c.step_inside();
  return c.release() < Version{2, 18, 0} ? inside : inside + c.step_between();
}

std::int64_t chain_chunk(const AlgorithmCall& c, std::int64_t slot, std::int64_t share) {
  const std::int64_t depth = c.comm.ranks_per_node();
  ChunkShrinker shrinker{share, 1, slot / 2};
  shrinker.halve_to(128 * kCollNetKiB, 64 * depth);
  shrinker.halve_to(64 * kCollNetKiB, 8 * depth);
  shrinker.halve_to(32 * kCollNetKiB, depth);
  return shrinker.chunk;
}

}  // namespace

const AlgorithmRecord kCollNetDirectRecord{.algorithm = Algorithm::kCollNetDirect,
                                           .name = "collnetdirect",
                                           .graph = &Communicator::collnet_direct,
                                           .implemented = &direct_implemented,
                                           .supported = &direct_supported,
                                           .channel_speed = &collnet_speed,
                                           .bandwidth = &direct_bandwidth,
                                           .latency = &direct_latency,
                                           .bytes_per_thread = &collnet_bytes_per_thread,
                                           .chunk = &direct_chunk};

const AlgorithmRecord kCollNetChainRecord{.algorithm = Algorithm::kCollNetChain,
                                          .name = "collnetchain",
                                          .graph = &Communicator::collnet_chain,
                                          .implemented = &chain_implemented,
                                          .supported = &chain_supported,
                                          .channel_speed = &collnet_speed,
                                          .bandwidth = &chain_bandwidth,
                                          .latency = &chain_latency,
                                          .bytes_per_thread = &collnet_bytes_per_thread,
                                          .chunk = &chain_chunk};

}  // namespace vgsim::collectives::nccl
