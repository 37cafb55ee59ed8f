#include "models/collectives/nccl/tuning/bandwidth_model.hpp"

#include <algorithm>

namespace vgsim::collectives::nccl {
namespace {

/// One entry of NCCL's table in the making.
struct BandwidthCase {
  Function function;
  Algorithm algorithm;
  Protocol protocol;
  const Communicator& comm;
  const Constants& constants;
  const AgreedGraph& graph;
  std::size_t generation;
  std::size_t column;  ///< of tables by number of nodes
  double channels;

  [[nodiscard]] bool all_reduce() const { return function == Function::kAllReduce; }
  [[nodiscard]] bool gathers() const {  // or scatters
    return function == Function::kAllGather || function == Function::kReduceScatter;
  }
  [[nodiscard]] double cap(const std::array<ByNodes, kGenerations>& table) const {
    return channels * table[generation][column];
  }
  [[nodiscard]] double ll_max() const {
    const std::size_t by_cpu = comm.cpus == CpuVendors::kOther ? 0 : 1;
    return constants.ll_max[comm.nodes == 1 ? generation : by_cpu][column];
  }
};

/// Rings and trees run on the channels that both have.
int channels_of(Algorithm algorithm, const Communicator& comm) {
  const bool common = algorithm == Algorithm::kRing || algorithm == Algorithm::kTree ||
                      algorithm == Algorithm::kPat;
  return common ? std::min(comm.ring.channels, comm.tree.channels) : comm.graph(algorithm).channels;
}

/// The model of NVLS since 2.28, which counts what heads send and receive.
double nvls_speed_by_efficiency(const BandwidthCase& c) {
  const double heads = c.channels;
  const double per_node = c.comm.ranks_per_node();
  const double share =
      c.all_reduce() ? 2 * (heads - 1) / heads : (heads - 1) / heads * (per_node - 1) / per_node;
  const double inside = c.graph.speed_intra * c.constants.nvls_efficiency[c.generation] * share;
  if (c.algorithm == Algorithm::kNvls) return std::min(inside, c.graph.speed_inter);
  double speed = std::min(inside, c.graph.speed_inter * (c.comm.nodes <= 2 ? 2 : 1));
  const double cap = c.constants.nvls_tree_channel_max[c.generation][c.column];
  return cap > 0 ? std::min(speed, cap) : speed;
}

double nvls_speed(const BandwidthCase& c) {
  const auto& [intra, inter] = std::pair(c.graph.speed_intra, c.graph.speed_inter);
  const Version& release = c.constants.release;
  if (release >= Version{2, 28, 0}) return nvls_speed_by_efficiency(c);
  if (release < Version{2, 19, 0}) return c.comm.nodes <= 2 ? intra : inter;
  if (c.algorithm == Algorithm::kNvlsTree) {
    return std::min(intra, c.comm.nodes <= 2 ? inter : inter / 2);
  }
  if (c.all_reduce() || release < Version{2, 27, 0}) return std::min(intra, inter);
  const double per_node = c.comm.ranks_per_node();
  return std::min(intra * (per_node - 1) / per_node, c.comm.nodes > 1 ? inter * 0.9 : inter);
}

/// GB/s of a channel before anything that depends on the protocol.
double channel_speed(const BandwidthCase& c) {
  switch (c.algorithm) {
    case Algorithm::kNvls:
    case Algorithm::kNvlsTree:
      return nvls_speed(c);
    case Algorithm::kCollNetDirect:
    case Algorithm::kCollNetChain:
      return c.graph.speed_intra;
    default:
      return c.comm.nodes <= 2 ? c.graph.speed_intra : c.graph.speed_inter;
  }
}

double ring_bandwidth(const BandwidthCase& c, double bus) {
  const BandwidthFactors& f = c.constants.factors;
  if (c.protocol == Protocol::kLl) {
    const bool inside = c.comm.nodes == 1 && !c.all_reduce() && c.function != Function::kReduce;
    return std::min(c.ll_max(), bus * (inside ? f.ring_ll_inside_one_node : f.ring_ll));
  }
  if (c.protocol == Protocol::kLl128) {
    const bool alone = c.comm.ranks_per_node() < 2 && f.ring_ll128_one_gpu_nodes > 0;
    return std::min(bus * (alone ? f.ring_ll128_one_gpu_nodes : f.ring_ll128),
                    c.cap(c.constants.ring_ll128_channel_max));
  }
  return bus;
}

double tree_bandwidth(const BandwidthCase& c, double bus) {
  const BandwidthFactors& f = c.constants.factors;
  bus = std::min(bus * f.tree, c.cap(c.constants.tree_channel_max));
  if (c.protocol == Protocol::kLl) bus = std::min(bus * f.tree_ll, c.ll_max());
  if (c.protocol == Protocol::kLl128) {
    bus = std::min(bus * (c.comm.nodes == 1 ? f.tree_ll128_one_node : f.tree_ll128),
                   c.cap(c.constants.tree_ll128_channel_max));
  }
  return c.graph.pattern == Pattern::kTree && f.tree_chain > 0 ? bus * f.tree_chain : bus;
}

/// Full speed needs a NIC for each GPU of a node.
double collnet_direct_bandwidth(const BandwidthCase& c, double bus) {
  const double per_node = c.comm.ranks_per_node();
  if (c.gathers()) return per_node * std::min(c.graph.speed_intra, c.graph.speed_inter * 0.9);
  bus /= (1 + per_node / c.channels) / 2;
  const double sm90 = c.constants.factors.collnet_direct_sm90;
  return c.comm.min_sm >= 90 && sm90 > 0 ? bus * sm90 : bus;
}

double bus_bandwidth(const BandwidthCase& c) {
  double bus = c.channels * channel_speed(c);
  const bool ampere =
      c.generation == static_cast<std::size_t>(topology::generation_called("ampere"));
  if (ampere && c.constants.ampere_bus_max > 0) bus = std::min(bus, c.constants.ampere_bus_max);
  const BandwidthFactors& f = c.constants.factors;
  switch (c.algorithm) {
    case Algorithm::kRing:
      return ring_bandwidth(c, bus);
    case Algorithm::kTree:
      return tree_bandwidth(c, bus);
    case Algorithm::kCollNetDirect:
      return collnet_direct_bandwidth(c, bus);
    case Algorithm::kCollNetChain:
      return f.collnet_chain > 0 ? bus * f.collnet_chain : bus;
    case Algorithm::kPat:
      return bus * f.pat;
    case Algorithm::kNvls:
    case Algorithm::kNvlsTree:
      return bus;
  }
  return bus;
}

/// Bytes of the buffer for each byte of bus bandwidth.
double buffer_share(const BandwidthCase& c) {
  const double ring = static_cast<double>(c.comm.ranks) / ring_steps(c.function, c.comm.ranks);
  if (c.algorithm == Algorithm::kRing) return ring;
  if (c.gathers()) return 1;
  if (c.algorithm != Algorithm::kNvls && c.algorithm != Algorithm::kNvlsTree) return 0.5;
  const BandwidthFactors& f = c.constants.factors;
  if (c.algorithm == Algorithm::kNvlsTree && f.nvls_tree > 0) {
    return f.nvls_tree * c.comm.nodes / (2 * (c.comm.nodes - 1));
  }
  return f.nvls > 0 ? f.nvls : ring;
}

}  // namespace

int ring_steps(Function function, int ranks) {
  switch (function) {
    case Function::kAllReduce:
      return 2 * (ranks - 1);
    case Function::kAllGather:
    case Function::kReduceScatter:
      return ranks - 1;
    default:
      return ranks;
  }
}

double algorithm_bandwidth(Function function, Algorithm algorithm, Protocol protocol,
                           const Communicator& communicator, const Constants& constants) {
  const Generation generation =
      generation_of(communicator.min_sm, communicator.max_sm, constants.release);
  const int column = std::min(communicator.nodes, 3) - 1;
  const BandwidthCase entry{function,
                            algorithm,
                            protocol,
                            communicator,
                            constants,
                            communicator.graph(algorithm),
                            static_cast<std::size_t>(generation),
                            static_cast<std::size_t>(column),
                            static_cast<double>(channels_of(algorithm, communicator))};
  return bus_bandwidth(entry) * buffer_share(entry);
}

}  // namespace vgsim::collectives::nccl
