#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "models/collectives/choice.hpp"
#include "models/collectives/exchange.hpp"
#include "models/collectives/fidelity.hpp"
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
  SimTime fixed{};  ///< of its time, what passes before the last flow begins to move data
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
  /// (std::invalid_argument). All must outlive it.
  Lowering(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed,
           Fidelity fidelity = Fidelity::kFluid);

  /// Adds the tasks for `size` bytes. A single rank needs none: begin and end are one empty task.
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, Collective collective, Bytes size,
                                    TaskLabel label);

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
  const Stream& stream(StreamKey key);
  const Stream& transfer(std::size_t from, std::size_t to, const Ratio& share);
  /// What a channel's pipeline moves while all `channels` run alone, in bytes/s of payload; nothing
  /// if only links without a limit are crossed.
  std::optional<Ratio> rate_alone(StreamKey key, int channels);
  /// A limit on what crosses links of a kind: a share of them for all channels together, and
  /// bytes/s of each channel.
  struct LinkShare {
    topology::LinkKind kind{};
    double share = 1.0;
    std::optional<Ratio> of_channel;
  };
  std::optional<Ratio> share_of_links(const Stream& stream, const LinkShare& share,
                                      int channels) const;
  std::optional<Ratio> rate_cap(const StreamKey& key, const Stream& stream, int channels) const;
  /// Of protocol Simple: to fill the pipeline with chunks, and to turn round after each round of
  /// them.
  SimTime chunk_delay(const StreamKey& key, const Stream& stream, const Ratio& bytes,
                      const nccl::WorkSplit& work, int channels);
  /// The ways to add a collective's flows, each with what passes before the last of them begins to
  /// move data.
  SimTime add_channels(TaskGraph& graph, Collective collective, Bytes size, const Choice& choice,
                       const Task& task, TaskId begin, std::vector<TaskId>& last);
  /// Chunk by chunk: the steps of a ring, once it is `ready`.
  static void add_hops(TaskGraph& graph, const Stream& stream, const FlowWork& whole,
                       const Task& task, TaskId ready, std::vector<TaskId>& last);
  SimTime add_phases(TaskGraph& graph, Bytes size, const Task& task, TaskId begin,
                     std::vector<TaskId>& last);
  /// Each rank to the next.
  SimTime add_peers(TaskGraph& graph, Bytes size, const Task& task, TaskId begin,
                    std::vector<TaskId>& last);
  /// Each rank to every other.
  SimTime add_exchange(TaskGraph& graph, Bytes size, const Task& task, TaskId begin,
                       std::vector<TaskId>& last);
  SimTime add_flows(TaskGraph& graph, Collective collective, Bytes size, const Task& task,
                    TaskId begin, std::vector<TaskId>& last);

  const RankGroup* ranks_;
  StepCosts costs_;
  PlacedNetwork* placed_;
  Fidelity fidelity_;
  Chooser chooser_;
  std::vector<Phase> phases_;  ///< instead of NCCL's
  std::map<StreamKey, Stream> streams_;
  /// Between two ranks, by sender, receiver and share. Found once, so that the network's routes
  /// stay as they are when the same collective is added again; the same goes for `exchange_`.
  std::map<std::tuple<std::size_t, std::size_t, Ratio>, Stream> transfers_;
  std::vector<PairClass> exchange_;
  std::map<std::pair<StreamKey, int>, std::optional<Ratio>> alone_;
};

}  // namespace vgsim::collectives
