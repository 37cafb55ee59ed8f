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

/// A collective as it stands in a task graph: done when `end` is done.
struct CollectiveTasks {
  TaskId begin{};
  TaskId end{};
  SimTime fixed{};  ///< of its time, the latency: what no flow moves and no size lengthens
};

/// A collective of `size` bytes, as NCCL counts them, or several of it one after the other: so many
/// times the latencies and bytes of one.
struct CollectiveWork {
  Collective collective{};
  Bytes size{};
  std::int64_t times = 1;
};

/// How the tasks of a collective are labelled (see Task).
struct TaskLabel {
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
};

/// Turns collectives of a group of ranks into tasks.
///
/// NCCL's cost model chooses algorithm, protocol and channels for a size; what that takes comes
/// from the network and from `StepCosts`. Each channel is one flow over all that it crosses, whose
/// rate is limited by what a thread block moves. It begins after the launch, the latencies of the
/// steps on the longest way, and the time to fill its pipeline.
class Lowering {
 public:
  /// Adds routes to `placed` as they are needed, which must be spread out for Fidelity::kChunk
  /// (std::invalid_argument). All must outlive it. Channels that do the very same are a flow each.
  Lowering(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed,
           Fidelity fidelity = Fidelity::kFluid);

  /// Adds the tasks. A single rank needs none: begin and end are one empty task.
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, const CollectiveWork& work, TaskLabel label);
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, Collective collective, Bytes size,
                                    TaskLabel label) {
    return add(graph, CollectiveWork{collective, size}, label);
  }

  /// Each of these pairs of ranks at once: `size` bytes from the first to the second, all at the
  /// rate of the slowest. One task.
  [[nodiscard]] CollectiveTasks add_sends(
      TaskGraph& graph, const std::vector<std::pair<std::size_t, std::size_t>>& pairs, Bytes size,
      TaskLabel label);

  /// What a collective takes that NCCL runs so, while nothing else moves.
  [[nodiscard]] SimTime alone(Collective collective, Bytes size, const Choice& choice);

  /// Makes one flow of channels that do the very same from now on, with the weight of all of them,
  /// and one task of a collective of one flow: rates and times stay what they are.
  void join_channels() { joins_channels_ = true; }

  /// Reduces by a pattern from now on, where add() is asked for AllReduce. Throws NotConnected.
  void use_pattern(Pattern pattern);

 private:
  struct StreamKey {
    Collective collective;
    nccl::Algorithm algorithm;
    nccl::Protocol protocol;
    int channel;
    auto operator<=>(const StreamKey&) const = default;
  };

  /// The lowest channel that takes the same ways as `channel`.
  [[nodiscard]] int first_alike(nccl::Algorithm algorithm, int channel) const;
  StreamSite site();
  const Stream& stream(StreamKey key);
  Stream build_stream(const StreamKey& key);
  const Stream& transfer(std::size_t from, std::size_t to, const Ratio& share);
  /// What a channel's pipeline moves while all `channels` run alone, in bytes/s of payload; nothing
  /// where only links without a limit are crossed.
  struct Pace {
    std::optional<Ratio> whole;                ///< all steps at once
    std::vector<std::optional<Ratio>> stages;  ///< while the channels take this step and no other
  };
  const Pace& pace(StreamKey key, int channels);
  std::optional<Ratio> share_of_links(const Stream& stream, const LinkShare& share,
                                      int channels) const;
  std::optional<Ratio> rate_cap(const StreamKey& key, const Stream& stream, int channels);
  /// What a connection carries of so many bytes of the buffer in a row, in bytes/s of payload: at
  /// first what its slots hold, and from then on as much in each time that a step is taken there
  /// and back. Source: NVIDIA/nccl src/transport/net.cc, where a slot is free again when what it
  /// held was acknowledged. Nothing where that is no limit.
  std::optional<Ratio> window_cap(const StreamKey& key, const Stream& stream, const Ratio& bytes,
                                  int channels);
  /// What passes before a channel's flow begins.
  struct Delay {
    SimTime latency{};
    SimTime by_size{};  ///< grows with the size

    [[nodiscard]] SimTime all() const { return latency + by_size; }
    bool operator==(const Delay&) const = default;
  };
  /// To fill the pipeline with chunks; of protocol Simple also to copy a rank's own part, and to
  /// turn round after each round of chunks.
  Delay chunk_delay(const StreamKey& key, const Stream& stream, const Ratio& bytes,
                    const nccl::WorkSplit& work, int channels);
  /// What a channel does, or several alike.
  struct ChannelFlow {
    const Stream* stream = nullptr;
    Delay delay;
    FlowWork flow;
  };
  ChannelFlow channel_flow(Collective collective, Bytes size, const Choice& choice, int channel);
  const std::vector<ChannelFlow>& channel_flows(Collective collective, Bytes size,
                                                const Choice& choice);
  /// The ways to add a collective's flows, each with what passes before the last of them begins to
  /// move data.
  SimTime add_channels(TaskGraph& graph, const CollectiveWork& work, const Choice& choice,
                       const Task& task, TaskId begin, std::vector<TaskId>& last);
  /// Of channels that are all alike, in one task.
  std::optional<CollectiveTasks> add_joined(TaskGraph& graph, const CollectiveWork& work,
                                            const Task& task);
  /// Chunk by chunk: the steps of a ring, once it is `ready`.
  static void add_hops(TaskGraph& graph, const Stream& stream, const FlowWork& whole,
                       const Task& task, TaskId ready, std::vector<TaskId>& last);
  SimTime add_phases(TaskGraph& graph, const CollectiveWork& work, const Task& task, TaskId begin,
                     std::vector<TaskId>& last);
  /// Each of these ranks to the other.
  SimTime add_transfers(TaskGraph& graph,
                        const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                        const CollectiveWork& work, const Task& task, TaskId begin,
                        std::vector<TaskId>& last);
  /// Each rank to every other.
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
  std::vector<Phase> phases_;       ///< instead of NCCL's
  std::optional<NodeForms> forms_;  ///< once they are needed
  std::map<StreamKey, Stream> streams_;
  /// Between two ranks, by sender, receiver and share. Found once, so that the network's routes
  /// stay as they are when the same collective is added again; the same goes for `exchange_`.
  std::map<std::tuple<std::size_t, std::size_t, Ratio>, Stream> transfers_;
  std::vector<PairClass> exchange_;
  /// By collective and size.
  std::map<std::pair<Collective, std::int64_t>, std::vector<ChannelFlow>> channel_flows_;
  /// Of sends at once, by their pairs.
  std::map<std::vector<std::pair<std::size_t, std::size_t>>, Stream> sends_;
  std::map<std::pair<StreamKey, int>, Pace> paces_;
};

}  // namespace vgsim::collectives
