#include "models/collectives/nccl/algorithms/record.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace vgsim::collectives::nccl {
namespace {

constexpr std::array<const AlgorithmRecord*, kAlgorithms> kRecords{
    &kTreeRecord,     &kRingRecord, &kCollNetDirectRecord, &kCollNetChainRecord, &kNvlsRecord,
    &kNvlsTreeRecord, &kPatRecord};

}  // namespace

const AlgorithmRecord& record_of(Algorithm algorithm) {
  return *kRecords.at(static_cast<std::size_t>(algorithm));
}

const char* to_string(Algorithm algorithm) { return record_of(algorithm).name; }

const AgreedGraph& AlgorithmCall::graph() const { return comm.*record.graph; }

std::size_t AlgorithmCall::generation() const {
  return static_cast<std::size_t>(generation_of(comm.min_sm, comm.max_sm, release()));
}

std::size_t AlgorithmCall::column() const {
  return static_cast<std::size_t>(std::min(comm.nodes, 3) - 1);
}

double AlgorithmCall::channels() const {
  return record.shares_channels ? std::min(comm.ring.channels, comm.tree.channels)
                                : graph().channels;
}

double AlgorithmCall::cap(const std::array<ByNodes, kGenerations>& table) const {
  return channels() * table[generation()][column()];
}

double AlgorithmCall::ll_max() const {
  const std::size_t by_cpu = comm.cpus == CpuVendors::kOther ? 0 : 1;
  return constants.ll_max[comm.nodes == 1 ? generation() : by_cpu][column()];
}

double AlgorithmCall::step(StepKind kind, Algorithm row) const {
  return constants.step_latency[static_cast<std::size_t>(kind)][static_cast<std::size_t>(row)]
                               [static_cast<std::size_t>(protocol)];
}

StepKind AlgorithmCall::inside() const {
  return graph().type_intra == PathType::kNvl ? StepKind::kNvLink : StepKind::kPci;
}

double AlgorithmCall::step_inside() const {
  const double table = step(inside(), record.algorithm);
  const bool slowed = comm.nodes > 1 && protocol == Protocol::kLl;
  return slowed ? table * constants.ll_inside_nodes_times : table;
}

double AlgorithmCall::step_between() const {
  const bool alone = comm.ranks_per_node() == 1;  // nothing hides the latency then
  const bool counts = release() < kSeparateCostModel || record.algorithm == Algorithm::kRing;
  const bool as_tree = alone && release() >= Version{2, 23, 0} && counts;
  const double table = step(StepKind::kNet, as_tree ? Algorithm::kTree : record.algorithm);
  const double nic = graph().latency_inter;
  if (release() < Version{2, 12, 0}) return table;
  if (release() < Version{2, 18, 0}) return nic > 0 ? nic : table;
  if (record.by_switch && release() < Version{2, 19, 0}) return table;
  const bool once = record.algorithm == Algorithm::kPat && release() >= kSeparateCostModel;
  return table + nic * (simple() && !once ? 2 : 1);
}

bool AlgorithmCall::has_deep_chunks() const {
  return record.deep_chunks && simple() && (gathers() || all_reduce());
}

double speed_by_nodes(const AlgorithmCall& call) {
  const AgreedGraph& graph = call.graph();
  return call.comm.nodes <= 2 ? graph.speed_intra : graph.speed_inter;
}

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

double correction_at(const std::vector<double>& table, Bytes size) {
  const auto cells = static_cast<std::uint64_t>(size.count()) >> 6;
  if (cells == 0) return 1;
  const auto index = static_cast<std::size_t>(std::bit_width(cells)) - 1;
  return index < table.size() ? table[index] : 1;
}

}  // namespace vgsim::collectives::nccl
