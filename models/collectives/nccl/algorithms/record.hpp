#pragma once

#include <cstddef>
#include <cstdint>

#include "models/collectives/nccl/tuning/communicator.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// A call of a function on a communicator with an algorithm and a protocol, for NCCL's cost model
/// and work distribution.
struct AlgorithmCall {
  Function function;
  Protocol protocol;
  const AlgorithmRecord& record;
  const Communicator& comm;
  const Constants& constants;

  [[nodiscard]] bool all_reduce() const { return function == Function::kAllReduce; }
  [[nodiscard]] bool gathers() const {  // or scatters
    return function == Function::kAllGather || function == Function::kReduceScatter;
  }
  [[nodiscard]] bool simple() const { return protocol == Protocol::kSimple; }
  [[nodiscard]] const Version& release() const { return constants.release; }
  [[nodiscard]] const AgreedGraph& graph() const;
  /// Row and column of tables by GPU generation and number of nodes.
  [[nodiscard]] std::size_t generation() const;
  [[nodiscard]] std::size_t column() const;

  // Bandwidths, in GB/s.
  [[nodiscard]] double channels() const;
  [[nodiscard]] double cap(const std::array<ByNodes, kGenerations>& table) const;
  [[nodiscard]] double ll_max() const;

  // Latencies, in us.
  /// Latency of a step in NCCL's table for the algorithm.
  [[nodiscard]] double step(StepKind kind, Algorithm row) const;
  /// The kind of link of a step inside a node, and its latency.
  [[nodiscard]] StepKind inside() const;
  [[nodiscard]] double step_inside() const;
  /// A step over the network. NICs that state their latency add it, twice if data is flushed.
  [[nodiscard]] double step_between() const;

  /// Whether a chunk occupies several slots of a connection's buffer.
  [[nodiscard]] bool has_deep_chunks() const;
  /// Threads of a channel: the maximum of the protocol.
  [[nodiscard]] int threads_of_protocol() const {
    return constants.work.threads[static_cast<std::size_t>(protocol)];
  }
};

/// An NCCL algorithm with everything that NCCL's decisions use. A nullptr has the meaning that its
/// comment states.
///
/// Sources: NVIDIA/nccl src/graph/tuning.cc (ncclTopoTuneModel, ncclTopoGetAlgoTime), from 2.31 on
/// src/tuning/*.cc, and src/enqueue.cc (getAlgoInfo, calcCollChunking).
struct AlgorithmRecord {
  Algorithm algorithm;               ///< index in NCCL's tables
  const char* name;                  ///< "collnetdirect"
  AgreedGraph Communicator::*graph;  ///< the graph that it uses
  /// Whether it uses the channels common to rings and trees, not those of its graph.
  bool shares_channels = false;
  bool by_switch = false;    ///< NVSwitches add, which they support for some data types
  bool deep_chunks = false;  ///< chunks of several slots, with protocol Simple
  /// Whether NCCL has code for it; nullptr: for all functions and protocols.
  bool (*implemented)(Function function, Protocol protocol, const Version& release) = nullptr;
  /// Whether the machines support it; nullptr: all do.
  bool (*supported)(const Communicator& comm) = nullptr;

  // The cost model.
  /// GB/s of a channel before the factors of the protocol; nullptr: that of the graph, inside up to
  /// two nodes and between more.
  double (*channel_speed)(const AlgorithmCall& call) = nullptr;
  /// GB/s of all channels from that without protocol; nullptr: the same.
  double (*bandwidth)(const AlgorithmCall& call, double bus) = nullptr;
  /// Bytes of the buffer for each byte of bus bandwidth; nullptr: 1 for gathering and scattering,
  /// else 0.5.
  double (*buffer_share)(const AlgorithmCall& call) = nullptr;
  double (*latency)(const AlgorithmCall& call);  ///< us of all steps
  /// Factors of bandwidth and latency for a size; nullptr: 1.
  double (*size_correction)(const AlgorithmCall& call, Bytes size) = nullptr;
  double (*latency_factor)(const AlgorithmCall& call, Bytes size) = nullptr;

  // Work distribution.
  bool keeps_channels = false;         ///< small sizes use all channels and threads, too
  bool ends_with_all_threads = false;  ///< all threads, independent of the size
  int spare_warps = 0;                 ///< with protocol Simple, for synchronization
  /// Maximum number of channels; nullptr: those of the communicator.
  int (*most_channels)(const Communicator& comm) = nullptr;
  /// Maximum number of threads of a channel; nullptr: no further limit.
  int (*most_threads)(const AlgorithmCall& call) = nullptr;
  /// Fewer bytes per thread reduce the number of threads; nullptr: the value of the protocol.
  std::int64_t (*bytes_per_thread)(const AlgorithmCall& call) = nullptr;
  /// Bytes of a chunk of a channel's share, of one slot; nullptr: the same.
  std::int64_t (*chunk)(const AlgorithmCall& call, std::int64_t slot, std::int64_t share) = nullptr;
};

[[nodiscard]] const AlgorithmRecord& record_of(Algorithm algorithm);

/// The first release whose cost model is in src/tuning.
inline constexpr Version kSeparateCostModel{2, 31, 0};

/// GB/s of a channel by the number of nodes, as AlgorithmRecord::channel_speed defaults to.
[[nodiscard]] double speed_by_nodes(const AlgorithmCall& call);

/// Steps of a ring of `ranks`: 2 (n - 1) for AllReduce, n - 1 for AllGather and ReduceScatter, n
/// for Broadcast and Reduce.
[[nodiscard]] int ring_steps(Function function, int ranks);

/// The entry of a table by log2(size / 64 B); 1 beyond it.
[[nodiscard]] double correction_at(const std::vector<double>& table, Bytes size);

/// Reduces a chunk to smaller sizes while the share is below that many chunks of every head.
struct ChunkShrinker {
  std::int64_t share;
  std::int64_t heads;
  std::int64_t chunk;

  void to(std::int64_t smaller, std::int64_t times) {
    if (chunk > smaller && share < times * heads * chunk) chunk = smaller;
  }
  void halve_to(std::int64_t smallest, std::int64_t times) {
    while (chunk > smallest && share < times * heads * chunk) chunk /= 2;
  }
};

}  // namespace vgsim::collectives::nccl
