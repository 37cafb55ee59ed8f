#include "models/collectives/nccl/tuning/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "models/collectives/nccl/tuning/bandwidth_model.hpp"
#include "models/collectives/nccl/tuning/latency_model.hpp"

namespace vgsim::collectives::nccl {
namespace {

bool one_of(int value, std::initializer_list<int> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Whether NCCL has code for an algorithm.
bool implemented(Function function, Algorithm algorithm, Protocol protocol,
                 const Version& release) {
  const bool gathers = function == Function::kAllGather || function == Function::kReduceScatter;
  const bool simple = protocol == Protocol::kSimple;
  switch (algorithm) {
    case Algorithm::kRing:
      return true;
    case Algorithm::kTree:
      return function == Function::kAllReduce;
    case Algorithm::kCollNetDirect:
    case Algorithm::kNvls:
      return simple &&
             (function == Function::kAllReduce || (gathers && release >= Version{2, 19, 0}));
    case Algorithm::kCollNetChain:
    case Algorithm::kNvlsTree:
      return simple && function == Function::kAllReduce;
    case Algorithm::kPat:
      return simple && gathers;
  }
  return false;
}

/// Whether the machines can run an algorithm.
bool supported(Algorithm algorithm, const Communicator& comm) {
  switch (algorithm) {
    case Algorithm::kTree:
    case Algorithm::kRing:
      return true;
    case Algorithm::kCollNetDirect:
      return comm.collnet && comm.nvswitch;
    case Algorithm::kCollNetChain:
      return comm.collnet;
    case Algorithm::kNvls:
      return comm.nvls_everywhere && (comm.nodes == 1 || comm.collnet);
    case Algorithm::kNvlsTree:
      return comm.nvls_everywhere && comm.nodes > 1;
    case Algorithm::kPat:
      return comm.ranks_per_node() == 1;
  }
  return false;
}

/// Gathering moves data of any type; sums are of what the switch can add.
bool reduces(Function function, Algorithm algorithm, const Communicator& comm) {
  const bool by_switch = algorithm == Algorithm::kNvls || algorithm == Algorithm::kNvlsTree;
  return comm.nvls_sums || !by_switch || function == Function::kAllGather;
}

/// LL128 needs links that deliver 128 bytes at once.
bool ll128_is_safe(const AgreedGraph& graph, const Communicator& comm, const Version& release) {
  const bool one_kind = comm.min_sm == comm.max_sm;
  const bool from_2_27 = release >= Version{2, 27, 0};
  const bool gpus = from_2_27 ? comm.min_sm >= 90 || (one_kind && comm.min_sm >= 70)
                              : one_kind && (one_of(comm.min_sm, {70, 80, 90}) ||
                                             (comm.min_sm >= 100 && release >= Version{2, 25, 0}));
  const bool through_pxn = comm.min_sm >= 90 && release >= Version{2, 18, 0};
  return gpus && graph.type_intra <= PathType::kNvb &&
         graph.type_inter <= (through_pxn ? PathType::kPxn : PathType::kPxb);
}

bool protocol_allowed(Protocol protocol, Wish wish, const AgreedGraph& graph,
                      const Communicator& comm, const Version& release) {
  if (wish != Wish::kUnset) return wish == Wish::kAllowed;
  return protocol != Protocol::kLl128 || ll128_is_safe(graph, comm, release);
}

void fill_function(Function function, const Communicator& comm, const Constants& constants,
                   const AlgorithmFilter& filter, bool filter_algorithms, CostTable& table) {
  const auto f = static_cast<std::size_t>(function);
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    const auto algorithm = static_cast<Algorithm>(a);
    const AgreedGraph& graph = comm.graph(algorithm);
    const bool forbidden = filter_algorithms && filter.algorithms[f][a] == Wish::kForbidden;
    if (forbidden || !constants.has_algorithm[a] || graph.channels == 0) continue;
    if (!supported(algorithm, comm) || !reduces(function, algorithm, comm)) continue;
    for (std::size_t p = 0; p < kProtocols; ++p) {
      const auto protocol = static_cast<Protocol>(p);
      if (!implemented(function, algorithm, protocol, constants.release)) continue;
      if (!protocol_allowed(protocol, filter.protocols[f][p], graph, comm, constants.release)) {
        continue;
      }
      table.costs[f][a][p] = {algorithm_latency(function, algorithm, protocol, comm, constants),
                              algorithm_bandwidth(function, algorithm, protocol, comm, constants)};
    }
  }
}

bool any(const CostTable& table, Function function) {
  for (const auto& row : table.costs[static_cast<std::size_t>(function)]) {
    for (const Cost& cost : row) {
      if (cost.bandwidth > 0) return true;
    }
  }
  return false;
}

/// Share of a tree's bandwidth that NCCL counts on at a size.
double correction(const std::vector<double>& table, Bytes size) {
  const auto cells = static_cast<std::uint64_t>(size.count()) >> 6;
  if (cells == 0) return 1;
  const auto index = static_cast<std::size_t>(std::bit_width(cells)) - 1;
  return index < table.size() ? table[index] : 1;
}

double size_correction(Function function, const Candidate& candidate, Bytes size,
                       const Communicator& comm, const Constants& constants) {
  if (function != Function::kAllReduce) return 1;
  if (candidate.algorithm == Algorithm::kTree) {
    return correction(constants.tree_correction[static_cast<std::size_t>(candidate.protocol)],
                      size);
  }
  const bool corrected =
      candidate.algorithm == Algorithm::kNvlsTree && comm.min_sm >= 100 && comm.x86;
  return corrected ? correction(constants.nvls_tree_correction, size) : 1;
}

/// Large Simple rings over the network take longer to fill.
double latency_factor(Function function, const Candidate& candidate, Bytes size,
                      const Communicator& comm, const Constants& constants) {
  if (function != Function::kAllReduce || candidate.algorithm != Algorithm::kRing ||
      candidate.protocol != Protocol::kSimple || comm.nodes == 1) {
    return 1;
  }
  const bool large = constants.release < Version{2, 18, 0}
                         ? size.count() >= std::int64_t{4096} * comm.ranks
                         : size.count() / (std::int64_t{comm.channels} * comm.ranks) >= 64;
  if (!large) return 1;
  return comm.min_sm < 80 ? constants.factors.ring_plateau_below_sm80
                          : constants.factors.ring_plateau_from_sm80;
}

}  // namespace

CostTable cost_table(const Communicator& communicator, const Constants& constants,
                     const AlgorithmFilter& filter) {
  CostTable table;
  if (communicator.ranks < 2) return table;
  for (std::size_t f = 0; f < kFunctions; ++f) {
    const auto function = static_cast<Function>(f);
    fill_function(function, communicator, constants, filter, true, table);
    if (constants.release < Version{2, 24, 0} && !any(table, function)) {
      fill_function(function, communicator, constants, filter, false, table);
    }
  }
  return table;
}

std::vector<Candidate> candidates(const CostTable& table, Function function, Bytes size,
                                  const Communicator& communicator, const Constants& constants) {
  std::vector<Candidate> result;
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    for (std::size_t p = 0; p < kProtocols; ++p) {
      Candidate candidate{static_cast<Algorithm>(a), static_cast<Protocol>(p), 0};
      const Cost& cost = table.of(function, candidate.algorithm, candidate.protocol);
      if (cost.bandwidth <= 0) continue;
      const double bandwidth =
          cost.bandwidth * size_correction(function, candidate, size, communicator, constants);
      const double latency =
          cost.latency_us * latency_factor(function, candidate, size, communicator, constants);
      candidate.us = latency + static_cast<double>(size.count()) / (1000 * bandwidth);
      result.push_back(candidate);
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.us < b.us; });
  return result;
}

double bus_bandwidth_of(Function function, Bytes size, double us, int ranks) {
  if (us <= 0) return 0;
  const double n = ranks;
  const double moved = function == Function::kAllReduce       ? 2 * (n - 1) / n
                       : function == Function::kAllGather     ? (n - 1) / n
                       : function == Function::kReduceScatter ? (n - 1) / n
                                                              : 1;
  return static_cast<double>(size.count()) / (1000 * us) * moved;
}

}  // namespace vgsim::collectives::nccl
