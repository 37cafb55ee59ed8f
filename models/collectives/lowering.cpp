#include "models/collectives/lowering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "models/collectives/nccl/tuning/chunk_size.hpp"

namespace vgsim::collectives {

Lowering::Lowering(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed,
                   Fidelity fidelity)
    : ranks_(&ranks), costs_(costs), placed_(&placed), fidelity_(fidelity), chooser_(ranks) {
  if (fidelity == Fidelity::kChunk && placed.has_shared_hosts()) {
    throw std::invalid_argument("chunk fidelity needs every host in a separate class");
  }
}

int Lowering::first_alike(nccl::Algorithm algorithm, int channel) const {
  const auto alike = lowered(algorithm).alike;
  int first = 0;
  while (alike != nullptr && !alike(ranks_->decision(), first, channel)) ++first;
  return first;
}

StreamSite Lowering::site() { return {*ranks_, costs_, *placed_, node_classes_}; }

const Stream& Lowering::stream(StreamKey key) {
  key.channel = first_alike(key.algorithm, key.channel);
  const auto found = streams_.find(key);
  if (found != streams_.end()) return found->second;
  return streams_.emplace(key, build_stream(key)).first->second;
}

Stream Lowering::build_stream(const StreamKey& key) {
  return lowered(key.algorithm)
      .stream(site(), {key.collective, key.protocol, key.channel, fidelity_ == Fidelity::kChunk});
}

std::optional<Ratio> Lowering::share_of_links(const Stream& stream, const LinkShare& share,
                                              int channels) const {
  std::optional<Ratio> cap;
  const auto limit = [&](const Ratio& rate) {
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

std::optional<Ratio> Lowering::block_rate(const StreamKey& key, const Stream& stream,
                                          int channels) {
  const auto share = lowered(key.algorithm).share;
  if (share != nullptr) return share_of_links(stream, share(site()), channels);
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  return costs_.channel_rate[generation][static_cast<std::size_t>(key.protocol)];
}

std::optional<Ratio> Lowering::rate_cap(const StreamKey& key, const Stream& stream, int channels) {
  std::optional<Ratio> cap = block_rate(key, stream, channels);
  if (lowered(key.algorithm).share != nullptr) return cap;
  if (stream.by_tcp && costs_.tcp_channel_rate) {
    Ratio connection = *costs_.tcp_channel_rate;
    if (stream.connection_rate) {
      connection = std::min(connection, Ratio(stream.connection_rate->count()));
    }
    if (!cap || connection < *cap) cap = connection;
  }
  if (stream.read_rate) {
    const Ratio read = *stream.read_rate / wire_factor(key.protocol);
    if (!cap || read < *cap) cap = read;
  }
  return cap;
}

std::optional<Ratio> Lowering::window_cap(const StreamKey& key, const Stream& stream,
                                          const Ratio& bytes, int channels) {
  const nccl::WorkConstants& work = ranks_->nccl().constants.work;
  const Ratio window = Ratio(nccl::slot_data(key.protocol, work).count()) * work.slots;
  const Ratio in_a_row = bytes * stream.largest_chunk;
  const SimTime there_and_back = stream.slowest_step * 2;
  if (there_and_back == SimTime{0} || in_a_row <= window) return std::nullopt;
  const Ratio steady = window * kPicosecondsPerSecond / there_and_back.count();
  const auto& alone = pipeline_rates(key, channels).whole;
  if (alone && *alone <= steady) return std::nullopt;
  SimTime time = duration_of(in_a_row - window, steady);
  if (alone) time += duration_of(window, *alone);
  return in_a_row * kPicosecondsPerSecond / time.count();
}

const Lowering::PipelineRates& Lowering::pipeline_rates(StreamKey key, int channels) {
  key.channel = first_alike(key.algorithm, key.channel);
  const auto known = pipeline_rates_.find({key, channels});
  if (known != pipeline_rates_.end()) return known->second;
  std::map<int, std::int64_t> alike;
  for (int c = 0; c < channels; ++c) ++alike[first_alike(key.algorithm, c)];
  struct Load {
    std::int64_t all = 0;                    ///< of a byte of each channel
    std::array<std::int64_t, 2> channels{};  ///< number of channels, by tree
  };
  const auto tree_of = [&](int c) {
    return lowered(key.algorithm).two_trees ? ranks_->decision().tree_channel(c).tree : 0;
  };
  std::vector<Load> loads;                      // by resource
  std::map<std::size_t, std::int64_t> sending;  // channels, by rank
  for (const auto& [c, count] : alike) {
    StreamKey other = key;
    other.channel = c;
    const Stream& found = stream(other);
    for (const std::size_t rank : found.senders) sending[rank] += count;
    loads.resize(placed_->network().resources.size());
    for (const Crossing& crossing : placed_->network().routes.crossings(found.route)) {
      Load& load = loads[static_cast<std::size_t>(crossing.resource)];
      load.all += crossing.coefficient * count;
      load.channels[tree_of(c)] += count;
    }
  }
  const Ratio wire = wire_factor(key.protocol);
  for (const auto& [c, count] : alike) {
    StreamKey other = key;
    other.channel = c;
    const Stream& found = stream(other);
    const std::optional<Ratio> cap = rate_cap(other, found, channels);
    const auto share = [&](std::optional<Ratio>& rate, ResourceId resource, std::int64_t load) {
      const Ratio fair = placed_->network().resources.capacity(resource) / (wire * load);
      if (!rate || fair < *rate) rate = fair;
    };
    PipelineRates rates{cap, {}, 0};
    for (const std::size_t rank : found.senders) {
      rates.at_sender = std::max(rates.at_sender, sending.at(rank));
    }
    for (const Crossing& crossing : placed_->network().routes.crossings(found.route)) {
      share(rates.whole, crossing.resource, loads[static_cast<std::size_t>(crossing.resource)].all);
    }
    const std::optional<Ratio> block = block_rate(other, found, channels);
    for (const Stage& stage : found.stages) {
      std::optional<Ratio>& rate = rates.stages.emplace_back(stage.by_network ? cap : block);
      for (const Crossing& crossing : stage.crossings) {
        const Load& load = loads[static_cast<std::size_t>(crossing.resource)];
        const std::int64_t at_once =
            stage.one_tree ? load.channels[tree_of(c)] : load.channels[0] + load.channels[1];
        share(rate, crossing.resource, crossing.coefficient * at_once);
      }
    }
    pipeline_rates_[{other, channels}] = std::move(rates);
  }
  return pipeline_rates_.at({key, channels});
}

Lowering::Delay Lowering::chunk_delay(const StreamKey& key, const Stream& stream,
                                      const Ratio& bytes, const nccl::WorkSplit& work,
                                      int channels) {
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  const Ratio largest = bytes * stream.largest_chunk;
  const Ratio chunk = std::min(Ratio(work.chunk.count()), largest);
  Delay delay;
  const PipelineRates& rates = pipeline_rates(key, channels);
  for (std::size_t s = 0; s < stream.stages.size(); ++s) {
    if (!rates.stages[s]) continue;
    delay.latency += duration_of(chunk, *rates.stages[s]) * stream.stages[s].times;
  }
  // The transfer at the rate of the whole pipeline includes one step of the first chunks.
  if (rates.whole && !stream.stages.empty()) {
    delay.latency = std::max(SimTime{0}, delay.latency - duration_of(chunk, *rates.whole));
  }
  if (key.protocol != nccl::Protocol::kSimple) return delay;
  if (rates.whole) delay.latency += duration_of(chunk * stream.fill, *rates.whole);
  const auto& copy = costs_.copy_rate[generation];
  if (copy && stream.copied > 0) delay.by_size = duration_of(bytes * stream.copied, *copy);
  const double rounds = to_double(bytes) / to_double(chunk * stream.at_once);
  delay.by_size += SimTime{std::llround(rounds * static_cast<double>(stream.turnaround.count()))};
  return delay;
}

void Lowering::add_hops(TaskGraph& graph, const Stream& stream, const FlowWork& whole,
                        const Task& task, TaskId ready, std::vector<TaskId>& last) {
  const auto first = static_cast<std::uint32_t>(graph.size());
  const auto hops = static_cast<std::uint32_t>(stream.hops.size());
  Task step = task;
  step.rounds = stream.rounds;
  for (const RouteId hop : stream.hops) {
    step.flow = FlowWork{hop, whole.amount / std::int64_t{step.rounds}, whole.rate_cap, 1};
    last.push_back(graph.add(step));
    graph.depend(ready, last.back());
  }
  for (std::uint32_t i = 0; i < hops; ++i) {
    graph.feed(TaskId{first + i}, TaskId{first + (i + 1) % hops}, 1);
  }
}

Lowering::ChannelFlow Lowering::channel_flow(Collective collective, Bytes size,
                                             const Choice& choice, int channel) {
  const int channels = choice.work.channels_used;
  const Ratio wire = wire_factor(choice.chosen.protocol);
  const Ratio each = Ratio(size.count()) / channels;
  const StreamKey key{collective, choice.chosen.algorithm, choice.chosen.protocol, channel};
  const Stream& found = stream(key);
  const Ratio bytes = each * found.share * wire;
  std::optional<Ratio> cap = rate_cap(key, found, channels);
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  Delay delay;
  if (costs_.fills_pipelines) {
    delay = chunk_delay(key, found, each, choice.work, channels);
    const auto window = window_cap(key, found, each, channels);
    if (window && (!cap || *window < *cap)) cap = window;
  }
  if (!found.senders.empty()) {
    const std::int64_t messages = found.rounds * pipeline_rates(key, channels).at_sender;
    delay.latency = std::max(delay.latency, costs_.tcp_message * messages - found.latency);
  }
  const bool is_bulk = key.protocol != nccl::Protocol::kLl &&
                       ranks_->decision().nodes.size() == 1 && lowered(key.algorithm).has_bulk;
  const SimTime bulk = is_bulk ? costs_.bulk[generation] : SimTime{0};
  delay.latency += found.latency + bulk;
  return {&found, delay, FlowWork{found.route, bytes, cap ? std::optional(*cap * wire) : cap, 1}};
}

SimTime Lowering::alone(Collective collective, Bytes size, const Choice& choice) {
  const int channels = choice.work.channels_used;
  SimTime longest{};
  for (int c = 0; c < channels; ++c) {
    const ChannelFlow one = channel_flow(collective, size, choice, c);
    const StreamKey key{collective, choice.chosen.algorithm, choice.chosen.protocol, c};
    SimTime time = one.delay.all();
    const auto& rate = pipeline_rates(key, channels).whole;
    const Ratio wire = wire_factor(key.protocol);
    if (rate && one.flow.rate_cap) {
      time += duration_of(one.flow.amount, std::min(*rate * wire, *one.flow.rate_cap));
    } else if (rate) {
      time += duration_of(one.flow.amount, *rate * wire);
    }
    longest = std::max(longest, time);
  }
  return costs_.launch[static_cast<std::size_t>(ranks_->generation())] + longest;
}

/// Merges channels with the same links and rates into one flow, if merging is enabled.
const std::vector<Lowering::ChannelFlow>& Lowering::channel_flows(Collective collective, Bytes size,
                                                                  const Choice& choice) {
  const auto [it, is_new] = channel_flows_.try_emplace({collective, size.count()});
  std::vector<ChannelFlow>& flows = it->second;
  if (!is_new) return flows;
  const RouteTable& routes = placed_->network().routes;
  for (int c = 0; c < choice.work.channels_used; ++c) {
    const ChannelFlow one = channel_flow(collective, size, choice, c);
    const auto same = std::find_if(flows.begin(), flows.end(), [&](const ChannelFlow& known) {
      return joins_channels_ && known.delay == one.delay && known.stream->hops.empty() &&
             one.stream->hops.empty() && known.flow.amount == one.flow.amount &&
             known.flow.rate_cap == one.flow.rate_cap &&
             std::ranges::equal(routes.crossings(known.flow.route),
                                routes.crossings(one.flow.route));
    });
    if (same == flows.end()) {
      flows.push_back(one);
    } else {
      ++same->flow.weight;
    }
  }
  for (ChannelFlow& joined : flows) {
    joined.flow.amount *= joined.flow.weight;
    if (joined.flow.rate_cap) *joined.flow.rate_cap *= joined.flow.weight;
  }
  return flows;
}

SimTime Lowering::add_channels(TaskGraph& graph, const CollectiveWork& work, const Choice& choice,
                               const Task& task, TaskId begin, std::vector<TaskId>& last) {
  SimTime longest{};
  for (const ChannelFlow& one : channel_flows(work.collective, work.size, choice)) {
    Task flow = task;
    flow.delay = one.delay.all() * work.times;
    longest = std::max(longest, one.delay.latency * work.times);
    FlowWork whole = one.flow;
    whole.amount *= work.times;
    if (one.stream->hops.empty()) flow.flow = whole;
    const TaskId added = graph.add(flow);
    graph.depend(begin, added);
    if (one.stream->hops.empty()) {
      last.push_back(added);
    } else {
      add_hops(graph, *one.stream, whole, task, added, last);
    }
  }
  return longest;
}

std::optional<CollectiveTasks> Lowering::add_joined(TaskGraph& graph, const CollectiveWork& work,
                                                    const Task& task) {
  const auto choice = chooser_.choose(work.collective, work.size);
  if (!choice) return std::nullopt;
  const auto& flows = channel_flows(work.collective, work.size, *choice);
  if (flows.size() > 1 || !flows.front().stream->hops.empty()) return std::nullopt;
  Task all = task;
  const Delay& own = flows.front().delay;
  const SimTime latency = all.delay + own.latency * work.times;
  all.delay += own.all() * work.times;
  all.flow = flows.front().flow;
  all.flow->amount *= work.times;
  const TaskId added = graph.add(all);
  return CollectiveTasks{added, added, latency};
}

const Stream& Lowering::transfer(std::size_t from, std::size_t to, const Ratio& share) {
  const auto [it, is_new] = transfers_.try_emplace({from, to, share});
  if (is_new) {
    it->second = peer_stream(ranks_->peer(from, to), share, costs_, ranks_->generation(), *placed_);
  }
  return it->second;
}

SimTime Lowering::add_transfers(TaskGraph& graph,
                                const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                const CollectiveWork& work, const Task& task, TaskId begin,
                                std::vector<TaskId>& last) {
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  SimTime longest{};
  for (const auto& [from, to] : pairs) {
    const Stream& found = transfer(from, to, Ratio(1));
    const bool in_lines = work.size <= kLargestLine && ranks_->node_of(from) == ranks_->node_of(to);
    Task flow = task;
    flow.delay = (in_lines ? found.line_latency : found.latency) * work.times;
    longest = std::max(longest, flow.delay);
    const auto of_links = share_of_links(
        found, {topology::LinkKind::kNvLink, costs_.peer_share[generation], std::nullopt}, 1);
    flow.flow = FlowWork{found.route, Ratio(work.size.count()) * work.times * found.share,
                         of_links ? of_links : found.peer_rate, 1};
    last.push_back(graph.add(flow));
    graph.depend(begin, last.back());
  }
  return longest;
}

SimTime Lowering::add_exchange(TaskGraph& graph, const CollectiveWork& work, const Task& task,
                               TaskId begin, std::vector<TaskId>& last) {
  if (exchange_.empty()) exchange_ = exchange_of(*ranks_, costs_, *placed_);
  const auto n = static_cast<std::int64_t>(ranks_->ranks());
  const Ratio part = Ratio(work.size.count()) * work.times / n;
  const bool is_small = work.size.count() <= n * kLargestLine.count();
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  const auto& own_rate = costs_.own_copy_rate[generation];
  const SimTime own = own_rate ? duration_of(part, *own_rate) : SimTime{0};
  const auto& copy_rate = costs_.copy_rate[generation];
  const Ratio piece =
      std::min(Ratio(work.size.count()) / kExchangeChannels, Ratio(kLargestPiece.count()));
  const SimTime last_piece = copy_rate && !is_small ? duration_of(piece, *copy_rate) : SimTime{0};
  SimTime longest{};
  for (const PairClass& pair : exchange_) {
    Task flow = task;
    const SimTime step = is_small ? pair.small_latency : pair.latency;
    const SimTime copied = pair.by_nvlink ? last_piece : SimTime{0};
    const SimTime latency = (step + costs_.peer_call * (n - 1) + copied) * work.times;
    flow.delay = latency + own;
    longest = std::max(longest, latency);
    flow.flow = FlowWork{pair.route, part, pair.rate_cap, 1};
    last.push_back(graph.add(flow));
    graph.depend(begin, last.back());
  }
  return longest;
}

void Lowering::use_pattern(Pattern pattern) { phases_ = phases_of(pattern, *ranks_); }

SimTime Lowering::add_phases(TaskGraph& graph, const CollectiveWork& work, const Task& task,
                             TaskId begin, std::vector<TaskId>& last) {
  SimTime fixed{};
  for (const Phase& phase : phases_) {
    std::vector<TaskId> flows;
    SimTime slowest{};
    for (const Transfer& transfer : phase) {
      const Stream& found = this->transfer(transfer.from, transfer.to, transfer.share);
      Task flow = task;
      flow.delay = found.latency * work.times;
      slowest = std::max(slowest, flow.delay);
      flow.flow = FlowWork{found.route, Ratio(work.size.count()) * work.times * found.share,
                           found.peer_rate, 1};
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

SimTime Lowering::add_flows(TaskGraph& graph, const CollectiveWork& work, const Task& task,
                            TaskId begin, std::vector<TaskId>& last) {
  if (const auto choice = chooser_.choose(work.collective, work.size)) {
    return add_channels(graph, work, *choice, task, begin, last);
  }
  if (work.collective == Collective::kAllToAll) return add_exchange(graph, work, task, begin, last);
  const std::size_t n = ranks_->ranks();
  std::vector<std::pair<std::size_t, std::size_t>> ring;
  for (std::size_t from = 0; from < n; ++from) ring.emplace_back(from, (from + 1) % n);
  return add_transfers(graph, ring, work, task, begin, last);
}

CollectiveTasks Lowering::add(TaskGraph& graph, const CollectiveWork& work, TaskLabel label) {
  Task task{SimTime{0}, std::nullopt, label.category, label.subject, 1};
  const bool alone = ranks_->ranks() < 2;
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  task.delay = alone ? SimTime{0} : costs_.launch[generation] * work.times;
  if (!alone && joins_channels_ && phases_.empty()) {
    if (const auto joined = add_joined(graph, work, task)) return *joined;
  }
  const SimTime launch = task.delay;
  const TaskId begin = graph.add(task);
  task.delay = SimTime{0};
  if (alone) return {begin, begin, SimTime{0}};
  std::vector<TaskId> flows;
  if (!phases_.empty() && work.collective == Collective::kAllReduce) {
    const SimTime fixed = add_phases(graph, work, task, begin, flows);
    return {begin, flows.back(), launch + fixed};
  }
  const SimTime longest = add_flows(graph, work, task, begin, flows);
  const TaskId end = graph.add(task);
  for (const TaskId flow : flows) graph.depend(flow, end);
  return {begin, end, launch + longest};
}

CollectiveTasks Lowering::add_sends(TaskGraph& graph,
                                    const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                    Bytes size, TaskLabel label) {
  const auto generation = static_cast<std::size_t>(ranks_->generation());
  const auto [it, is_new] = sends_.try_emplace(pairs);
  Stream& stream = it->second;
  if (is_new) {
    PlacedNetwork::Route route(*placed_);
    for (const auto& [from, to] : pairs) {
      const Leg leg = ranks_->peer(from, to);
      cross(route, leg);
      stream.latency = std::max(
          stream.latency, step_latency(leg, nccl::Protocol::kSimple, ranks_->generation(), costs_));
    }
    stream.route = std::move(route).of_each_host();
  }
  Task task{costs_.launch[generation] + stream.latency, std::nullopt, label.category, label.subject,
            1};
  task.flow = FlowWork{
      stream.route, Ratio(size.count()),
      share_of_links(stream,
                     {topology::LinkKind::kNvLink, costs_.peer_share[generation], std::nullopt}, 1),
      1};
  const TaskId added = graph.add(task);
  return {added, added, task.delay};
}

}  // namespace vgsim::collectives
