#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/collectives/choice.hpp"
#include "models/collectives/exchange.hpp"
#include "models/collectives/fidelity.hpp"
#include "models/collectives/lowered_algorithm.hpp"
#include "models/collectives/pattern.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/step_costs.hpp"
#include "models/collectives/stream.hpp"
#include "sim/task_graph.hpp"

namespace vgsim::collectives {

/// A collective in a task graph: it is complete when `end` is.
struct CollectiveTasks {
  TaskId begin{};
  TaskId end{};
  SimTime fixed{};  ///< the part of its time that is latency and independent of the size
};

/// A collective of `size` bytes, as NCCL counts them, run `times` times in sequence: latencies and
/// bytes are multiplied.
struct CollectiveWork {
  Collective collective{};
  Bytes size{};
  std::int64_t times = 1;
};

/// Labels of a collective's tasks (see Task).
struct TaskLabel {
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
};

/// Converts collectives of a group of ranks to tasks.
///
/// NCCL's cost model chooses algorithm, protocol and channels for a size; the time comes from the
/// network and from `StepCosts`. Each channel is one flow over all its links, limited by the rate
/// of a thread block. It starts after the launch, the latencies of the steps on the longest path,
/// and the time to fill its pipeline.
class Lowering {
 public:
  /// Adds routes to `placed` on demand. Fidelity::kChunk needs every host in its own class (throws
  /// std::invalid_argument). All arguments must outlive it. Identical channels have one flow each.
  Lowering(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed,
           Fidelity fidelity = Fidelity::kFluid);

  /// Adds the tasks. A single rank has one empty task as begin and end.
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, const CollectiveWork& work, TaskLabel label);
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, Collective collective, Bytes size,
                                    TaskLabel label) {
    return add(graph, CollectiveWork{collective, size}, label);
  }

  /// Concurrent transfers of `size` bytes from the first to the second rank of each pair, all at
  /// the rate of the slowest. One task.
  [[nodiscard]] CollectiveTasks add_sends(
      TaskGraph& graph, const std::vector<std::pair<std::size_t, std::size_t>>& pairs, Bytes size,
      TaskLabel label);

  /// Time of a collective with a given choice on an otherwise idle network.
  [[nodiscard]] SimTime alone(Collective collective, Bytes size, const Choice& choice);

  /// From now on, merges identical channels into one flow with their total weight, and a collective
  /// of one flow into one task. Rates and times do not change.
  void join_channels() { joins_channels_ = true; }

  /// From now on, uses a pattern for AllReduce. Throws NotConnected.
  void use_pattern(Pattern pattern);

 private:
  struct StreamKey {
    Collective collective;
    nccl::Algorithm algorithm;
    nccl::Protocol protocol;
    int channel;
    auto operator<=>(const StreamKey&) const = default;
  };

  /// The lowest channel with the same paths as `channel`.
  [[nodiscard]] int first_alike(nccl::Algorithm algorithm, int channel) const;
  StreamSite site();
  const Stream& stream(StreamKey key);
  Stream build_stream(const StreamKey& key);
  const Stream& transfer(std::size_t from, std::size_t to, const Ratio& share);
  /// Rate of a channel's pipeline if all `channels` run alone, in bytes/s of payload; nothing if
  /// only unlimited links are crossed.
  struct PipelineRates {
    std::optional<Ratio> whole;                ///< all steps at once
    std::vector<std::optional<Ratio>> stages;  ///< if the channels run this step only
    /// Channels whose messages the busiest thread of Stream::senders handles in turn.
    std::int64_t at_sender = 0;
  };
  const PipelineRates& pipeline_rates(StreamKey key, int channels);
  std::optional<Ratio> share_of_links(const Stream& stream, const LinkShare& share,
                                      int channels) const;
  /// Limit of a channel's thread block, in bytes/s of payload.
  std::optional<Ratio> block_rate(const StreamKey& key, const Stream& stream, int channels);
  /// The same, also with the limits of its TCP connection and of buffers in host memory.
  std::optional<Ratio> rate_cap(const StreamKey& key, const Stream& stream, int channels);
  /// Limit of a connection for `bytes` consecutive bytes of the buffer, in bytes/s of payload:
  /// initially the capacity of its slots, then as much in each round trip of a step. A slot is free
  /// again when its data was acknowledged. Source: NVIDIA/nccl src/transport/net.cc. Nothing if it
  /// is not a limit.
  std::optional<Ratio> window_cap(const StreamKey& key, const Stream& stream, const Ratio& bytes,
                                  int channels);
  /// Time before a channel's flow begins.
  struct Delay {
    SimTime latency{};
    SimTime by_size{};  ///< grows with the size

    [[nodiscard]] SimTime all() const { return latency + by_size; }
    bool operator==(const Delay&) const = default;
  };
  /// Time to fill the pipeline with chunks; with protocol Simple also to copy a rank's own part and
  /// for the turnaround after each round of chunks.
  Delay chunk_delay(const StreamKey& key, const Stream& stream, const Ratio& bytes,
                    const nccl::WorkSplit& work, int channels);
  /// The flow of one channel, or of several identical ones.
  struct ChannelFlow {
    const Stream* stream = nullptr;
    Delay delay;
    FlowWork flow;
  };
  ChannelFlow channel_flow(Collective collective, Bytes size, const Choice& choice, int channel);
  const std::vector<ChannelFlow>& channel_flows(Collective collective, Bytes size,
                                                const Choice& choice);
  /// Add a collective's flows. Each returns the time until the last flow begins to move data.
  SimTime add_channels(TaskGraph& graph, const CollectiveWork& work, const Choice& choice,
                       const Task& task, TaskId begin, std::vector<TaskId>& last);
  /// For identical channels, in one task.
  std::optional<CollectiveTasks> add_joined(TaskGraph& graph, const CollectiveWork& work,
                                            const Task& task);
  /// Chunk by chunk: the steps of a ring, starting after `ready`.
  static void add_hops(TaskGraph& graph, const Stream& stream, const FlowWork& whole,
                       const Task& task, TaskId ready, std::vector<TaskId>& last);
  SimTime add_phases(TaskGraph& graph, const CollectiveWork& work, const Task& task, TaskId begin,
                     std::vector<TaskId>& last);
  /// Between the two ranks of each pair, in both directions.
  SimTime add_transfers(TaskGraph& graph,
                        const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                        const CollectiveWork& work, const Task& task, TaskId begin,
                        std::vector<TaskId>& last);
  /// From each rank to every other.
  SimTime add_exchange(TaskGraph& graph, const CollectiveWork& work, const Task& task, TaskId begin,
                       std::vector<TaskId>& last);
  SimTime add_flows(TaskGraph& graph, const CollectiveWork& work, const Task& task, TaskId begin,
                    std::vector<TaskId>& last);

  const RankGroup* ranks_;
  StepCosts costs_;
  PlacedNetwork* placed_;
  Fidelity fidelity_;
  bool joins_channels_ = false;
  Chooser chooser_;
  std::vector<Phase> phases_;                ///< replace NCCL's choice
  std::optional<NodeClasses> node_classes_;  ///< created on first use
  std::map<StreamKey, Stream> streams_;
  /// Between two ranks, by sender, receiver and share. Cached, so that adding the same collective
  /// again does not add routes; so is `exchange_`.
  std::map<std::tuple<std::size_t, std::size_t, Ratio>, Stream> transfers_;
  std::vector<PairClass> exchange_;
  /// By collective and size.
  std::map<std::pair<Collective, std::int64_t>, std::vector<ChannelFlow>> channel_flows_;
  /// Concurrent sends, by their pairs.
  std::map<std::vector<std::pair<std::size_t, std::size_t>>, Stream> sends_;
  std::map<std::pair<StreamKey, int>, PipelineRates> pipeline_rates_;
};

}  // namespace vgsim::collectives
