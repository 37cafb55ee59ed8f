#include "models/collectives/ring.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "models/collectives/ring_search.hpp"

namespace vgsim::collectives {
namespace {

using vsphere::GuestView;

RingNode describe_node(const topology::Topology& topology, const GuestView& view, bool leaves_vm) {
  const HopPlanner planner(topology, view);
  RingNode node;
  node.ranks = view.gpu_count();
  node.between.resize(node.ranks);
  for (std::size_t a = 0; a < node.ranks; ++a) {
    for (std::size_t b = 0; b < node.ranks; ++b) {
      node.between[a].push_back(a == b ? Hop{} : planner.between(a, b));
    }
  }
  if (!leaves_vm) return node;
  const std::size_t nics = view.vm().nics.size();
  node.send.resize(node.ranks);
  node.receive.resize(nics);
  for (std::size_t n = 0; n < nics; ++n) {
    for (std::size_t r = 0; r < node.ranks; ++r) {
      node.send[r].push_back(planner.send(r, n));
      node.receive[n].push_back(planner.receive(n, r));
    }
  }
  return node;
}

void check_connected(const topology::Topology& topology, const std::vector<GuestView>& views) {
  for (const GuestView& view : views) {
    if (view.vm().nics.empty()) {
      throw NotConnected(fmt::format("{} has no NIC, and the job spans {} VMs or hosts",
                                     view.vm().name, views.size()));
    }
    for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
      const auto path =
          topology::network_path(topology, view.nic(n).vertex, views.front().nic(0).vertex);
      if (path.path_class != topology::PathClass::kNet) {
        throw NotConnected(fmt::format("the fabric does not join {} and {}",
                                       topology.node(view.nic(n).vertex).name,
                                       topology.node(views.front().nic(0).vertex).name));
      }
    }
  }
}

/// Equal capacities get equal numbers.
std::vector<std::int64_t> classify(const std::vector<Exact>& capacity) {
  std::map<Exact, std::int64_t> distinct;
  std::vector<std::int64_t> result;
  for (const Exact& c : capacity) {
    const auto next = static_cast<std::int64_t>(distinct.size());
    result.push_back(distinct.try_emplace(c, next).first->second);
  }
  return result;
}

/// What a node is to the search, whatever its resources are called: equal ones get equal channels.
std::vector<std::int64_t> signature(const RingNode& node,
                                    const std::vector<std::int64_t>& capacity_class) {
  std::map<ResourceId, std::int64_t> number;
  std::vector<std::int64_t> words;
  for (const auto* table : {&node.between, &node.send, &node.receive}) {
    words.push_back(static_cast<std::int64_t>(table->size()));
    for (const auto& row : *table) {
      for (const Hop& hop : row) {
        words.push_back(static_cast<std::int64_t>(hop.transport));
        words.push_back(hop.through_memory ? 1 : 0);
        words.push_back(static_cast<std::int64_t>(hop.crossings.size()));
        for (const Crossing& c : hop.crossings) {
          const auto id = static_cast<std::int64_t>(number.size());
          words.push_back(number.try_emplace(c.resource, id).first->second);
          words.push_back(c.coefficient);
          words.push_back(capacity_class[static_cast<std::size_t>(c.resource)]);
        }
      }
    }
  }
  return words;
}

/// The c-th ring: each VM's c-th channel, one VM after the other.
RingChannel join_nodes(const topology::Topology& topology, const std::vector<GuestView>& views,
                       const std::vector<RingNode>& nodes, const std::vector<NodeChannels>& found,
                       std::size_t c) {
  RingChannel ring;
  std::size_t first_rank = 0;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const NodeChannel& channel = found[v].channels[c];
    for (std::size_t i = 0; i < channel.order.size(); ++i) {
      ring.order.push_back(first_rank + channel.order[i]);
      if (i + 1 < channel.order.size()) {
        ring.hops.push_back(nodes[v].between[channel.order[i]][channel.order[i + 1]]);
      }
    }
    first_rank += views[v].gpu_count();
    const std::size_t last = channel.order.back();
    if (views.size() == 1) {
      ring.hops.push_back(nodes[v].between[last][channel.order.front()]);
      continue;
    }
    const std::size_t w = (v + 1) % views.size();
    const NodeChannel& next = found[w].channels[c];
    ring.hops.push_back(
        network_hop(topology, nodes[v].send[last][channel.nic], views[v].nic(channel.nic).vertex,
                    nodes[w].receive[next.nic][next.order.front()], views[w].nic(next.nic).vertex));
  }
  return ring;
}

}  // namespace

StepLatencies StepLatencies::from(const calibration::Parameters& parameters) {
  return {parameters.time("launch_latency"), parameters.time("nvlink_step_latency"),
          parameters.time("pcie_step_latency"), parameters.time("host_staging_step_latency"),
          parameters.time("network_step_latency")};
}

SimTime StepLatencies::of(const Hop& hop) const {
  switch (hop.transport) {
    case Transport::kNvLink:
      return nvlink;
    case Transport::kPcie:
      return pcie;
    case Transport::kHostStaging:
      return host_staging;
    case Transport::kNetwork:
      return network + hop.switch_latency;
  }
  return SimTime{0};
}

RingPlan plan_rings(const topology::Topology& topology, const std::vector<GuestView>& views,
                    const std::vector<Exact>& capacity, std::size_t max_channels) {
  RingPlan plan;
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (std::size_t g = 0; g < views[v].gpu_count(); ++g) plan.ranks.push_back({v, g});
  }
  if (plan.ranks.size() < 2) return plan;
  const bool leaves_vm = views.size() > 1;
  if (leaves_vm) check_connected(topology, views);

  std::vector<RingNode> nodes;
  std::vector<NodeChannels> found;
  const std::vector<std::int64_t> capacity_class = classify(capacity);
  std::map<std::vector<std::int64_t>, NodeChannels> known;
  std::size_t channels = max_channels;
  for (const GuestView& view : views) {
    nodes.push_back(describe_node(topology, view, leaves_vm));
    const auto [it, is_new] = known.try_emplace(signature(nodes.back(), capacity_class));
    if (is_new) it->second = search_channels(nodes.back(), capacity, max_channels);
    found.push_back(it->second);
    channels = std::min(channels, found.back().channels.size());
  }
  for (std::size_t c = 0; c < channels; ++c) {
    plan.channels.push_back(join_nodes(topology, views, nodes, found, c));
  }
  if (plan.channels.empty()) throw NotConnected("no ring joins the GPUs: a link has no capacity");
  return plan;
}

RingAllReduce::RingAllReduce(const RingPlan& plan, const StepLatencies& latencies,
                             RouteTable& routes)
    : ranks_(plan.ranks.size()), launch_(latencies.launch) {
  for (const RingChannel& ring : plan.channels) {
    std::vector<Crossing> crossings;
    SimTime round{};
    for (const Hop& hop : ring.hops) {
      crossings.insert(crossings.end(), hop.crossings.begin(), hop.crossings.end());
      round += latencies.of(hop);
    }
    SimTime fastest_pair = round;
    for (std::size_t i = 0; i < ring.hops.size(); ++i) {
      const Hop& next = ring.hops[(i + 1) % ring.hops.size()];
      fastest_pair = std::min(fastest_pair, latencies.of(ring.hops[i]) + latencies.of(next));
    }
    channels_.push_back({routes.add(std::move(crossings)), round * 2 - fastest_pair});
  }
}

Exact RingAllReduce::bytes_per_edge(Bytes size) const {
  const auto n = static_cast<std::int64_t>(ranks_);
  const auto channels = static_cast<std::int64_t>(channels_.size());
  return Exact(size.count()) * (2 * (n - 1)) / (n * channels);
}

CollectiveTasks RingAllReduce::add(TaskGraph& graph, Bytes size, TaskLabel label) const {
  const auto empty_task = [&](SimTime delay) {
    return Task{delay, std::nullopt, label.category, label.subject, label.group};
  };
  const TaskId begin = graph.add(empty_task(channels_.empty() ? SimTime{0} : launch_));
  if (channels_.empty()) return {begin, begin};
  std::vector<TaskId> flows;
  for (const Channel& channel : channels_) {
    Task task = empty_task(channel.fill);
    task.flow = FlowWork{channel.route, bytes_per_edge(size), std::nullopt, 1};
    flows.push_back(graph.add(std::move(task)));
  }
  const TaskId end = graph.add(empty_task(SimTime{0}));
  for (const TaskId flow : flows) {
    graph.depend(begin, flow);
    graph.depend(flow, end);
  }
  return {begin, end};
}

}  // namespace vgsim::collectives
