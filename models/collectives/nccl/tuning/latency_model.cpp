#include "models/collectives/nccl/tuning/latency_model.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/collectives/nccl/tuning/bandwidth_model.hpp"

namespace vgsim::collectives::nccl {
namespace {

struct LatencyCase {
  Function function;
  Algorithm algorithm;
  Protocol protocol;
  const Communicator& comm;
  const Constants& constants;
  const AgreedGraph& graph;

  [[nodiscard]] double step(StepKind kind, Algorithm row) const {
    return constants.step_latency[static_cast<std::size_t>(kind)][static_cast<std::size_t>(row)]
                                 [static_cast<std::size_t>(protocol)];
  }
  [[nodiscard]] StepKind inside() const {
    return graph.type_intra == PathType::kNvl ? StepKind::kNvLink : StepKind::kPci;
  }
  [[nodiscard]] bool simple() const { return protocol == Protocol::kSimple; }
  [[nodiscard]] const Version& release() const { return constants.release; }
};

double step_inside(const LatencyCase& c) {
  const double step = c.step(c.inside(), c.algorithm);
  const bool slowed = c.comm.nodes > 1 && c.protocol == Protocol::kLl;
  return slowed ? step * c.constants.ll_inside_nodes_times : step;
}

/// A step over the network. NICs that give their latency add it, twice where data is flushed.
double step_between(const LatencyCase& c) {
  const bool alone = c.comm.ranks_per_node() == 1;  // nothing hides the latency then
  const bool as_tree = alone && c.release() >= Version{2, 23, 0};
  const double table = c.step(StepKind::kNet, as_tree ? Algorithm::kTree : c.algorithm);
  const double nic = c.graph.latency_inter;
  if (c.release() < Version{2, 12, 0}) return table;
  if (c.release() < Version{2, 18, 0}) return nic > 0 ? nic : table;
  const bool nvls = c.algorithm == Algorithm::kNvls || c.algorithm == Algorithm::kNvlsTree;
  if (nvls && c.release() < Version{2, 19, 0}) return table;
  return table + nic * (c.simple() ? 2 : 1);
}

/// Every step of a ring through several nodes waits at least for the proxy threads.
double network_overhead(const LatencyCase& c) {
  if (c.comm.nodes == 1) return 0;
  const bool amd = c.comm.cpus == CpuVendors::kAmd && c.comm.x86;
  const double overhead =
      amd ? c.constants.network_overhead_amd : c.constants.network_overhead_other;
  return c.simple() ? overhead * c.constants.network_overhead_simple_times : overhead;
}

int network_steps(const LatencyCase& c) {
  const int nodes = c.comm.nodes;
  if (nodes == 1) return 0;
  if (c.function != Function::kAllReduce) return nodes - 1;
  const bool closed = c.release() >= Version{2, 11, 0} && c.release() < Version{2, 23, 0};
  return closed ? 2 * nodes : 2 * (nodes - 1);
}

double ring_latency(const LatencyCase& c) {
  const int steps = ring_steps(c.function, c.comm.ranks);
  if (c.function == Function::kBroadcast || c.function == Function::kReduce) {
    const StepKind kind = c.comm.nodes == 1 ? c.inside() : StepKind::kNet;
    if (c.graph.same_channels) return c.step(kind, Algorithm::kRing);
    return steps * c.step(kind, c.simple() ? Algorithm::kTree : Algorithm::kRing);
  }
  const int between = network_steps(c);
  return (steps - between) * std::max(step_inside(c), network_overhead(c)) +
         between * step_between(c);
}

double collnet_direct_latency(const LatencyCase& c) {
  const int peers = c.comm.ranks_per_node() - 1;
  return 2 * (std::min(1, peers) * step_inside(c) + peers * c.constants.collnet_direct_per_peer) +
         step_between(c);
}

double collnet_chain_latency(const LatencyCase& c) {
  const double inside = 2 * (c.comm.ranks_per_node() - 1) * step_inside(c);
  return c.release() < Version{2, 18, 0} ? inside : inside + step_between(c);
}

double nvls_tree_latency(const LatencyCase& c) {
  const bool by_depth = c.release() >= Version{2, 19, 0};
  const int rounds = by_depth ? c.comm.tree_depth() : c.comm.nodes - 1;
  return step_inside(c) + 2 * rounds * step_between(c);
}

double steps_latency(const LatencyCase& c) {
  const int per_node = c.comm.ranks_per_node();
  switch (c.algorithm) {
    case Algorithm::kRing:
      return ring_latency(c);
    case Algorithm::kTree:
      return 2 * ((per_node - 1) * step_inside(c) + c.comm.tree_depth() * step_between(c));
    case Algorithm::kCollNetDirect:
      return collnet_direct_latency(c);
    case Algorithm::kCollNetChain:
      return collnet_chain_latency(c);
    case Algorithm::kNvls:
      return step_inside(c) + (c.comm.nodes > 1 ? step_between(c) : 0);
    case Algorithm::kNvlsTree:
      return nvls_tree_latency(c);
    case Algorithm::kPat:
      return c.comm.tree_depth() * step_between(c) / c.constants.pat_network_divisor +
             c.comm.ranks * c.constants.pat_per_rank;
  }
  throw std::logic_error("algorithm");
}

}  // namespace

double algorithm_latency(Function function, Algorithm algorithm, Protocol protocol,
                         const Communicator& communicator, const Constants& constants) {
  const LatencyCase entry{function,     algorithm, protocol,
                          communicator, constants, communicator.graph(algorithm)};
  return constants.base_latency[static_cast<std::size_t>(algorithm)]
                               [static_cast<std::size_t>(protocol)] +
         steps_latency(entry);
}

}  // namespace vgsim::collectives::nccl
