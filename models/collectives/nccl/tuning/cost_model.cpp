#include "models/collectives/nccl/tuning/cost_model.hpp"

#include <algorithm>
#include <initializer_list>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

bool one_of(int value, std::initializer_list<int> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Gathering moves data of any type; sums need types that the switch can add.
bool reduces(Function function, const AlgorithmRecord& record, const Communicator& comm) {
  return comm.nvls_sums || !record.by_switch || function == Function::kAllGather;
}

/// Whether the machines can run an algorithm for a function.
bool runs(Function function, const AlgorithmRecord& record, const Communicator& comm) {
  const bool supported = record.supported == nullptr || record.supported(comm);
  return supported && (comm.*record.graph).channels > 0 && reduces(function, record, comm);
}

/// GB/s of the whole buffer that NCCL assigns to an algorithm; 0 if NCCL does not use it.
double algorithm_bandwidth(const AlgorithmCall& call) {
  const AlgorithmRecord& record = call.record;
  const double speed = record.channel_speed ? record.channel_speed(call) : speed_by_nodes(call);
  double bus = call.channels() * speed;
  const double most = call.constants.ampere_bus_max;
  const bool ampere =
      call.generation() == static_cast<std::size_t>(topology::generation_called("ampere"));
  if (ampere && most > 0) bus = std::min(bus, most);
  if (record.bandwidth) bus = record.bandwidth(call, bus);
  return bus * (record.buffer_share ? record.buffer_share(call) : call.gathers() ? 1 : 0.5);
}

/// Latency in us of NCCL's model, independent of size. Measured latencies are about twice as long;
/// it is used for the choice only.
double algorithm_latency(const AlgorithmCall& call) {
  const auto& base = call.constants.base_latency[static_cast<std::size_t>(call.record.algorithm)];
  return base[static_cast<std::size_t>(call.protocol)] + call.record.latency(call);
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

bool protocol_allowed(Protocol protocol, FilterRule rule, const AgreedGraph& graph,
                      const Communicator& comm, const Version& release) {
  if (rule != FilterRule::kUnset) return rule == FilterRule::kAllowed;
  return protocol != Protocol::kLl128 || ll128_is_safe(graph, comm, release);
}

void fill_function(Function function, const Communicator& comm, const Constants& constants,
                   const AlgorithmFilter& filter, bool filter_algorithms, CostTable& table) {
  const auto f = static_cast<std::size_t>(function);
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    const AlgorithmRecord& record = record_of(static_cast<Algorithm>(a));
    const bool forbidden = filter_algorithms && filter.algorithms[f][a] == FilterRule::kForbidden;
    if (forbidden || !constants.has_algorithm[a] || !runs(function, record, comm)) continue;
    for (std::size_t p = 0; p < kProtocols; ++p) {
      const auto protocol = static_cast<Protocol>(p);
      const Version& release = constants.release;
      if (record.implemented && !record.implemented(function, protocol, release)) continue;
      const AlgorithmCall call{function, protocol, record, comm, constants};
      if (!protocol_allowed(protocol, filter.protocols[f][p], call.graph(), comm, release)) {
        continue;
      }
      table.costs[f][a][p] = {algorithm_latency(call), algorithm_bandwidth(call)};
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
      const AlgorithmRecord& record = record_of(candidate.algorithm);
      const AlgorithmCall call{function, candidate.protocol, record, communicator, constants};
      const double bandwidth =
          cost.bandwidth * (record.size_correction ? record.size_correction(call, size) : 1);
      const double latency =
          cost.latency_us * (record.latency_factor ? record.latency_factor(call, size) : 1);
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
