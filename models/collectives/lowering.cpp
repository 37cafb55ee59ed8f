#include "models/collectives/lowering.hpp"

#include <algorithm>
#include <stdexcept>

namespace vgsim::collectives {
namespace {

using nccl::Algorithm;

/// Pairs that exchange data one by one up to this many ranks; beyond, each rank's flows to all
/// others are one.
constexpr std::size_t kMostRanksInPairs = 64;

bool has_edges(Fidelity fidelity, Algorithm algorithm, Collective collective) {
  return fidelity == Fidelity::kChunk && algorithm == Algorithm::kRing &&
         collective != Collective::kBroadcast && collective != Collective::kReduce;
}

}  // namespace

Lowering::Lowering(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed,
                   Fidelity fidelity)
    : ranks_(&ranks), costs_(costs), placed_(&placed), fidelity_(fidelity), chooser_(ranks) {
  if (fidelity == Fidelity::kChunk && placed.is_folded()) {
    throw std::invalid_argument("chunks are followed on each host of its own");
  }
}

const Stream& Lowering::stream(const StreamKey& key) {
  const auto found = streams_.find(key);
  if (found != streams_.end()) return found->second;
  const StreamRequest request{key.collective, key.protocol, key.channel,
                              has_edges(fidelity_, key.algorithm, key.collective)};
  const auto build = [&]() {
    switch (key.algorithm) {
      case Algorithm::kTree:
        return tree_stream(*ranks_, request, costs_, *placed_);
      case Algorithm::kCollNetDirect:
      case Algorithm::kCollNetChain:
        return collnet_stream(*ranks_, request, costs_, *placed_);
      case Algorithm::kNvls:
        return ranks_->decision().nodes.size() == 1
                   ? nvls_stream(*ranks_, request, costs_, *placed_)
                   : collnet_stream(*ranks_, request, costs_, *placed_);
      case Algorithm::kNvlsTree:
        return nvls_tree_stream(*ranks_, request, costs_, *placed_);
      case Algorithm::kRing:
      case Algorithm::kPat:
        return ring_stream(*ranks_, request, costs_, *placed_);
    }
    throw std::logic_error("an algorithm of NCCL");
  };
  return streams_.emplace(key, build()).first->second;
}

std::optional<Exact> Lowering::share_of_links(const Stream& stream, const LinkShare& share,
                                              int channels) const {
  std::optional<Exact> cap;
  const auto limit = [&](const Exact& rate) {
    if (!cap || rate < *cap) cap = rate;
  };
  for (const Crossing& c : placed_->network().routes.crossings(stream.route)) {
    if (placed_->kind(c.resource) != share.kind) continue;
    if (share.share < 1.0) {
      limit(placed_->network().resources.capacity(c.resource) * exact_share(share.share) /
            (c.coefficient * std::int64_t{channels}));
    }
    if (share.of_channel) limit(*share.of_channel / c.coefficient);
  }
  return cap;
}

std::optional<Exact> Lowering::rate_cap(const StreamKey& key, const Stream& stream,
                                        int channels) const {
  const auto generation = static_cast<std::size_t>(generation_of(ranks_->min_sm()));
  const bool one_node = ranks_->decision().nodes.size() == 1;
  switch (key.algorithm) {
    case Algorithm::kNvls:
    case Algorithm::kCollNetDirect:
    case Algorithm::kCollNetChain:
      if (key.algorithm == Algorithm::kNvls && one_node) {
        return share_of_links(stream,
                              {topology::LinkKind::kNvLink, costs_.nvls_share[generation],
                               costs_.nvls_channel_rate[generation]},
                              channels);
      }
      return share_of_links(
          stream, {topology::LinkKind::kNicPort, costs_.in_network_share, std::nullopt}, 1);
    case Algorithm::kNvlsTree:
      return share_of_links(stream,
                            {topology::LinkKind::kNvLink, costs_.nvls_tree_share[generation],
                             costs_.nvls_channel_rate[generation]},
                            channels);
    case Algorithm::kTree:
    case Algorithm::kRing:
    case Algorithm::kPat:
      break;
  }
  std::optional<Exact> cap =
      costs_.channel_rate[generation][static_cast<std::size_t>(key.protocol)];
  if (stream.by_tcp && costs_.tcp_channel_rate && (!cap || *costs_.tcp_channel_rate < *cap)) {
    cap = costs_.tcp_channel_rate;
  }
  return cap;
}

std::optional<Exact> Lowering::rate_alone(const StreamKey& key, int channels) {
  const auto known = alone_.find({key, channels});
  if (known != alone_.end()) return known->second;
  std::map<ResourceId, std::int64_t> load;
  for (int c = 0; c < channels; ++c) {
    StreamKey other = key;
    other.channel = c;
    for (const Crossing& crossing : placed_->network().routes.crossings(stream(other).route)) {
      load[crossing.resource] += crossing.coefficient;
    }
  }
  for (int c = 0; c < channels; ++c) {
    StreamKey other = key;
    other.channel = c;
    const Stream& found = stream(other);
    std::optional<Exact> rate = rate_cap(other, found, channels);
    for (const Crossing& crossing : placed_->network().routes.crossings(found.route)) {
      const Exact fair =
          placed_->network().resources.capacity(crossing.resource) / load.at(crossing.resource);
      if (!rate || fair < *rate) rate = fair;
    }
    alone_[{other, channels}] = rate;
  }
  return alone_.at({key, channels});
}

SimTime Lowering::chunk_delay(const StreamKey& key, const Stream& stream, const Exact& bytes,
                              const nccl::WorkSplit& work, int channels) {
  const auto generation = static_cast<std::size_t>(generation_of(ranks_->min_sm()));
  const Exact largest = bytes * stream.largest_chunk;
  const Exact chunk = std::min(Exact(work.chunk.count()), largest);
  SimTime delay{};
  const auto alone = rate_alone(key, channels);
  if (alone && stream.fill > 0) delay += duration_of(chunk * stream.fill, *alone);
  const auto& copy = stream.copies_host_memory ? costs_.staged_copy_rate[generation]
                                               : costs_.copy_rate[generation];
  if (copy && stream.copied > 0) delay += duration_of(bytes * stream.copied, *copy);
  const Exact rounds = largest / chunk - 1;
  return delay + SimTime{static_cast<std::int64_t>(to_double(rounds) *
                                                   static_cast<double>(stream.turnaround.count()))};
}

void Lowering::add_chunks(TaskGraph& graph, const Stream& stream, const Exact& bytes,
                          const Task& task, TaskId begin, SimTime fill,
                          std::vector<TaskId>& last) const {
  Task filled = task;
  filled.delay = fill;
  const TaskId ready = graph.add(filled);
  graph.depend(begin, ready);
  const std::size_t first = graph.size();
  const std::size_t edges = stream.edges.size();
  Task edge = task;
  edge.rounds = stream.rounds;
  for (const Stream::Edge& hop : stream.edges) {
    edge.latency = hop.latency;
    edge.flow = FlowWork{hop.route, bytes / std::int64_t{edge.rounds}, std::nullopt, 1};
    last.push_back(graph.add(edge));
    graph.depend(ready, last.back());
  }
  for (std::size_t i = 0; i < edges; ++i) {
    graph.feed(TaskId{static_cast<std::uint32_t>(first + i)},
               TaskId{static_cast<std::uint32_t>(first + (i + 1) % edges)}, 1);
  }
}

void Lowering::add_channels(TaskGraph& graph, Collective collective, Bytes size,
                            const Choice& choice, const Task& task, TaskId begin,
                            std::vector<TaskId>& last) {
  const int channels = choice.work.channels_used;
  const Exact wire = wire_factor(choice.chosen.protocol);
  const Exact each = Exact(size.count()) / channels;
  for (int c = 0; c < channels; ++c) {
    const StreamKey key{collective, choice.chosen.algorithm, choice.chosen.protocol, c};
    const Stream& found = stream(key);
    const Exact bytes = each * found.share * wire;
    const std::optional<Exact> cap = rate_cap(key, found, channels);
    const SimTime fill = key.protocol == nccl::Protocol::kSimple && costs_.fills_pipelines
                             ? chunk_delay(key, found, each, choice.work, channels)
                             : SimTime{0};
    if (!found.edges.empty()) {
      add_chunks(graph, found, bytes, task, begin, fill, last);
      continue;
    }
    Task flow = task;
    flow.delay = found.latency;
    flow.delay += fill;
    flow.flow = FlowWork{found.route, bytes, cap ? std::optional(*cap * wire) : cap, 1};
    last.push_back(graph.add(flow));
    graph.depend(begin, last.back());
  }
}

void Lowering::add_peers(TaskGraph& graph, Collective collective, Bytes size, const Task& task,
                         TaskId begin, std::vector<TaskId>& last) {
  const std::size_t n = ranks_->ranks();
  const bool all = collective == Collective::kAllToAll;
  const auto generation = static_cast<std::size_t>(generation_of(ranks_->min_sm()));
  const Exact share = all ? Exact(1) / static_cast<std::int64_t>(n) : Exact(1);
  for (std::size_t from = 0; from < n; ++from) {
    for (std::size_t step = 1; step < (all ? n : 2); ++step) {
      const Stream found = peer_stream(*ranks_, from, (from + step) % n, share, costs_, *placed_);
      Task flow = task;
      flow.delay = found.latency;
      if (all) flow.delay += costs_.peer_call * static_cast<std::int64_t>(n - 1);
      flow.flow = FlowWork{
          found.route, Exact(size.count()) * found.share,
          share_of_links(found,
                         {topology::LinkKind::kNvLink, costs_.peer_share[generation], std::nullopt},
                         all ? static_cast<int>(n - 1) : 1),
          1};
      last.push_back(graph.add(flow));
      graph.depend(begin, last.back());
    }
  }
}

void Lowering::use_pattern(Pattern pattern) {
  phases_ = phases_of(pattern, *ranks_);
  wait_ = pattern == Pattern::kHorovod ? costs_.horovod_cycle : SimTime{0};
}

SimTime Lowering::add_phases(TaskGraph& graph, Bytes size, const Task& task, TaskId begin,
                             std::vector<TaskId>& last) {
  SimTime fixed{};
  for (const Phase& phase : phases_) {
    std::vector<TaskId> flows;
    SimTime slowest{};
    for (const Transfer& transfer : phase) {
      const Stream found =
          peer_stream(*ranks_, transfer.from, transfer.to, transfer.share, costs_, *placed_);
      Task flow = task;
      flow.delay = found.latency;
      slowest = std::max(slowest, found.latency);
      flow.flow = FlowWork{found.route, Exact(size.count()) * found.share, std::nullopt, 1};
      flows.push_back(graph.add(flow));
      graph.depend(begin, flows.back());
    }
    begin = graph.add(task);
    for (const TaskId flow : flows) graph.depend(flow, begin);
    fixed += slowest;
  }
  last.push_back(begin);
  return fixed;
}

CollectiveTasks Lowering::add(TaskGraph& graph, Collective collective, Bytes size,
                              TaskLabel label) {
  Task task{SimTime{0}, std::nullopt, label.category, label.subject, 1};
  const bool alone = ranks_->ranks() < 2;
  task.delay = alone ? SimTime{0} : costs_.launch + wait_;
  const TaskId begin = graph.add(task);
  task.delay = SimTime{0};
  if (alone) return {begin, begin, SimTime{0}};
  std::vector<TaskId> flows;
  if (!phases_.empty() && collective == Collective::kAllReduce) {
    const SimTime fixed = add_phases(graph, size, task, begin, flows);
    return {begin, flows.back(), costs_.launch + fixed};
  }
  if (const auto choice = chooser_.choose(collective, size)) {
    add_channels(graph, collective, size, *choice, task, begin, flows);
  } else {
    add_peers(graph, collective, size, task, begin, flows);
  }
  const TaskId end = graph.add(task);
  SimTime longest{};
  for (const TaskId flow : flows) {
    graph.depend(flow, end);
    longest = std::max(longest, graph.delay(flow));
  }
  return {begin, end, costs_.launch + wait_ + longest};
}

}  // namespace vgsim::collectives
