#include <algorithm>
#include <utility>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

constexpr std::int64_t kNvlsKiB = 1024;

/// GB/s of a channel inside a node since 2.28, which counts the data that heads send and receive.
double speed_by_efficiency(const AlgorithmCall& c) {
  const double heads = c.channels();
  const double per_node = c.comm.ranks_per_node();
  const double share =
      c.all_reduce() ? 2 * (heads - 1) / heads : (heads - 1) / heads * (per_node - 1) / per_node;
  return c.graph().speed_intra * c.constants.nvls_efficiency[c.generation()] * share;
}

double nvls_buffer_share(const AlgorithmCall& c) {
  if (c.gathers()) return 1;
  const double factor = c.constants.factors.nvls;
  if (factor > 0) return factor;
  return static_cast<double>(c.comm.ranks) / ring_steps(c.function, c.comm.ranks);
}

// Reductions in the NVSwitch, and in the network between nodes.

bool nvls_implemented(Function function, Protocol protocol, const Version& release) {
  const bool gathers = function == Function::kAllGather || function == Function::kReduceScatter;
  return protocol == Protocol::kSimple &&
         (function == Function::kAllReduce || (gathers && release >= Version{2, 19, 0}));
}

bool nvls_supported(const Communicator& comm) {
  return comm.nvls_everywhere && (comm.nodes == 1 || comm.collnet);
}

double nvls_speed(const AlgorithmCall& c) {
  const auto& [intra, inter] = std::pair(c.graph().speed_intra, c.graph().speed_inter);
  if (c.release() >= Version{2, 28, 0}) return std::min(speed_by_efficiency(c), inter);
  if (c.release() < Version{2, 19, 0}) return c.comm.nodes <= 2 ? intra : inter;
  if (c.all_reduce() || c.release() < Version{2, 27, 0}) return std::min(intra, inter);
  const double per_node = c.comm.ranks_per_node();
  return std::min(intra * (per_node - 1) / per_node, c.comm.nodes > 1 ? inter * 0.9 : inter);
}

double nvls_latency(const AlgorithmCall& c) {
  return c.step_inside() + (c.comm.nodes > 1 ? c.step_between() : 0);
}

int nvls_channels(const Communicator& comm) {
  return comm.nodes == 1 ? comm.nvls_channels : comm.channels;
}

std::int64_t nvls_chunk(const AlgorithmCall& c, std::int64_t /*slot*/, std::int64_t share) {
  const std::int64_t most = c.constants.work.nvls_chunk.count();
  const bool slow_network =
      c.comm.nodes > 1 && c.comm.nvls.channels * c.comm.nvls.speed_inter < 150;
  ChunkShrinker shrinker{share, std::max(c.comm.nvls_heads, 1),
                         slow_network ? std::min(most, 32 * kNvlsKiB) : most};
  shrinker.to(64 * kNvlsKiB, 64);
  shrinker.to(32 * kNvlsKiB, 8);
  shrinker.to(16 * kNvlsKiB, 2);
  return shrinker.chunk;
}

// Reductions in the NVSwitch, and trees between nodes.

bool nvls_tree_implemented(Function function, Protocol protocol, const Version& /*release*/) {
  return protocol == Protocol::kSimple && function == Function::kAllReduce;
}

bool nvls_tree_supported(const Communicator& comm) {
  return comm.nvls_everywhere && comm.nodes > 1;
}

double nvls_tree_speed(const AlgorithmCall& c) {
  const auto& [intra, inter] = std::pair(c.graph().speed_intra, c.graph().speed_inter);
  const bool few = c.comm.nodes <= 2;
  if (c.release() < Version{2, 19, 0}) return few ? intra : inter;
  if (c.release() < Version{2, 28, 0}) return std::min(intra, few ? inter : inter / 2);
  const double speed = std::min(speed_by_efficiency(c), inter * (few ? 2 : 1));
  const double cap = c.constants.nvls_tree_channel_max[c.generation()][c.column()];
  return cap > 0 ? std::min(speed, cap) : speed;
}

double nvls_tree_buffer_share(const AlgorithmCall& c) {
  const double factor = c.constants.factors.nvls_tree;
  if (c.gathers() || factor <= 0) return nvls_buffer_share(c);
  return factor * c.comm.nodes / (2 * (c.comm.nodes - 1));
}

double nvls_tree_latency(const AlgorithmCall& c) {
  const bool by_depth = c.release() >= Version{2, 19, 0};
  const int rounds = by_depth ? c.comm.tree_depth() : c.comm.nodes - 1;
  return c.step_inside() + 2 * rounds * c.step_between();
}

double nvls_tree_size_correction(const AlgorithmCall& c, Bytes size) {
  const bool corrected = c.all_reduce() && c.comm.min_sm >= 100 && c.comm.x86;
  return corrected ? correction_at(c.constants.nvls_tree_correction, size) : 1;
}

int nvls_tree_channels(const Communicator& comm) { return comm.nvls_channels; }

std::int64_t nvls_tree_chunk(const AlgorithmCall& c, std::int64_t /*slot*/, std::int64_t share) {
  const std::int64_t most = c.constants.work.nvls_chunk.count();
  ChunkShrinker shrinker{share, std::max(c.comm.nvls_heads, 1),
                         std::min(most, (c.comm.nodes >= 4 ? 64 : 128) * kNvlsKiB)};
  shrinker.to(64 * kNvlsKiB, 4);
  shrinker.to(32 * kNvlsKiB, 1);
  return shrinker.chunk;
}

}  // namespace

const AlgorithmRecord kNvlsRecord{.algorithm = Algorithm::kNvls,
                                  .name = "nvls",
                                  .graph = &Communicator::nvls,
                                  .by_switch = true,
                                  .implemented = &nvls_implemented,
                                  .supported = &nvls_supported,
                                  .channel_speed = &nvls_speed,
                                  .buffer_share = &nvls_buffer_share,
                                  .latency = &nvls_latency,
                                  .keeps_channels = true,
                                  .most_channels = &nvls_channels,
                                  .chunk = &nvls_chunk};

const AlgorithmRecord kNvlsTreeRecord{.algorithm = Algorithm::kNvlsTree,
                                      .name = "nvlstree",
                                      .graph = &Communicator::nvls,
                                      .by_switch = true,
                                      .implemented = &nvls_tree_implemented,
                                      .supported = &nvls_tree_supported,
                                      .channel_speed = &nvls_tree_speed,
                                      .buffer_share = &nvls_tree_buffer_share,
                                      .latency = &nvls_tree_latency,
                                      .size_correction = &nvls_tree_size_correction,
                                      .keeps_channels = true,
                                      .most_channels = &nvls_tree_channels,
                                      .chunk = &nvls_tree_chunk};

}  // namespace vgsim::collectives::nccl
