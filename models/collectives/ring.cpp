#include "models/collectives/ring.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

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

topology::NicPosition position(const GuestView& view, std::size_t host, std::size_t nic) {
  return {host, view.vm().nics[nic].host_nic};
}

void check_connected(const topology::Fabric& fabric, const std::vector<GuestView>& views,
                     const std::vector<PlacedVm>& vms) {
  for (const PlacedVm& vm : vms) {
    const GuestView& view = views[vm.view];
    if (view.vm().nics.empty()) {
      throw NotConnected(fmt::format("{} has no NIC, and the job spans {} VMs or hosts",
                                     view.vm().name, vms.size()));
    }
    const GuestView& first = views[vms.front().view];
    for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
      if (fabric.path(position(view, vm.host, n), position(first, vms.front().host, 0))) continue;
      throw NotConnected(fmt::format("the fabric does not join NIC {} of {} and NIC {} of {}",
                                     view.nic(n).name, view.vm().name, first.nic(0).name,
                                     first.vm().name));
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

}  // namespace

StepLatencies StepLatencies::from(const calibration::Parameters& parameters) {
  return {parameters.time("launch_latency"), parameters.time("nvlink_step_latency"),
          parameters.time("pcie_step_latency"), parameters.time("host_staging_step_latency"),
          parameters.time("network_step_latency")};
}

SimTime StepLatencies::of(const RingHop& hop) const {
  switch (hop.transport) {
    case Transport::kNvLink:
      return nvlink;
    case Transport::kPcie:
      return pcie;
    case Transport::kHostStaging:
      return host_staging;
    case Transport::kNetwork:
      return network + hop.fabric.latency;
  }
  return SimTime{0};
}

RingHop RingPlan::inside(std::size_t vm, const Hop& hop) const {
  return {hop.transport, vms_[vm].host, &hop.crossings, {}, vms_[vm].host, nullptr};
}

RingHop RingPlan::between(std::size_t from_vm, std::size_t to_vm, std::size_t channel) const {
  const PlacedVm& from = vms_[from_vm];
  const PlacedVm& to = vms_[to_vm];
  const NodeChannel& out = found_[from.view].channels[channel];
  const NodeChannel& in = found_[to.view].channels[channel];
  const auto path = fabric_->path({from.host, host_nics_[from.view][out.nic]},
                                  {to.host, host_nics_[to.view][in.nic]});
  if (!path) throw NotConnected("the fabric does not join the NICs of a ring");
  return {Transport::kNetwork,
          from.host,
          &nodes_[from.view].send[out.order.back()][out.nic].crossings,
          *path,
          to.host,
          &nodes_[to.view].receive[in.nic][in.order.front()].crossings};
}

RingPlan plan_rings(const topology::Topology& topology, const topology::Fabric& fabric,
                    const std::vector<GuestView>& views, const std::vector<PlacedVm>& vms,
                    const std::vector<Exact>& capacity, std::size_t max_channels) {
  RingPlan plan;
  plan.vms_ = vms;
  plan.fabric_ = &fabric;
  for (const PlacedVm& vm : vms) plan.ranks_ += views[vm.view].gpu_count();
  if (plan.ranks_ < 2) return plan;
  const bool leaves_vm = vms.size() > 1;
  if (leaves_vm) check_connected(fabric, views, vms);

  const std::vector<std::int64_t> capacity_class = classify(capacity);
  std::map<std::vector<std::int64_t>, NodeChannels> known;
  plan.channels_ = max_channels;
  for (const GuestView& view : views) {
    plan.nodes_.push_back(describe_node(topology, view, leaves_vm));
    const auto [it, is_new] = known.try_emplace(signature(plan.nodes_.back(), capacity_class));
    if (is_new) it->second = search_channels(plan.nodes_.back(), capacity, max_channels);
    plan.found_.push_back(it->second);
    auto& nics = plan.host_nics_.emplace_back();
    for (const auto& nic : view.vm().nics) nics.push_back(nic.host_nic);
    plan.channels_ = std::min(plan.channels_, plan.found_.back().channels.size());
  }
  if (plan.channels_ == 0) throw NotConnected("no ring joins the GPUs: a link has no capacity");
  return plan;
}

RingAllReduce::RingAllReduce(const RingPlan& plan, const StepLatencies& latencies,
                             PlacedNetwork& placed, Fidelity fidelity)
    : ranks_(plan.ranks()), launch_(latencies.launch), fidelity_(fidelity) {
  if (fidelity == Fidelity::kChunk && placed.is_folded()) {
    throw std::invalid_argument("chunks are followed on each host of its own");
  }
  for (std::size_t c = 0; c < plan.channels(); ++c) add_channel(plan, c, latencies, placed);
}

void RingAllReduce::add_channel(const RingPlan& plan, std::size_t c, const StepLatencies& latencies,
                                PlacedNetwork& placed) {
  Channel& channel = channels_.emplace_back();
  const auto cross = [](PlacedNetwork::Route& route, const RingHop& hop) {
    route.cross(hop.from_host, *hop.leaving);
    route.cross(hop.fabric);
    if (hop.arriving != nullptr) route.cross(hop.to_host, *hop.arriving);
  };
  PlacedNetwork::Route whole(placed);
  std::optional<SimTime> first;
  std::optional<SimTime> previous;
  std::optional<SimTime> fastest_pair;
  SimTime round{};
  const auto pair = [&](SimTime a, SimTime b) {
    if (!fastest_pair || a + b < *fastest_pair) fastest_pair = a + b;
  };
  plan.each_hop(c, [&](const RingHop& hop) {
    const SimTime latency = latencies.of(hop);
    round += latency;
    if (previous) pair(*previous, latency);
    if (!first) first = latency;
    previous = latency;
    if (fidelity_ == Fidelity::kFluid) {
      cross(whole, hop);
    } else {
      PlacedNetwork::Route edge(placed);
      cross(edge, hop);
      channel.edges.push_back({std::move(edge).of_each_host(), latency});
    }
  });
  pair(*previous, *first);
  channel.fill = round * 2 - *fastest_pair;
  if (fidelity_ == Fidelity::kFluid) channel.route = std::move(whole).through_all_hosts();
}

Exact RingAllReduce::bytes_per_edge(Bytes size) const {
  const auto n = static_cast<std::int64_t>(ranks_);
  const auto channels = static_cast<std::int64_t>(channels_.size());
  return Exact(size.count()) * (2 * (n - 1)) / (n * channels);
}

TaskId RingAllReduce::add_fluid(TaskGraph& graph, const Channel& channel, Bytes size,
                                const Task& task, TaskId begin) const {
  Task flow = task;
  flow.delay = channel.fill;
  flow.flow = FlowWork{channel.route, bytes_per_edge(size), std::nullopt, 1};
  const TaskId id = graph.add(flow);
  graph.depend(begin, id);
  return id;
}

void RingAllReduce::add_chunks(TaskGraph& graph, const Channel& channel, Bytes size,
                               const Task& task, TaskId begin, std::vector<TaskId>& last) const {
  const std::size_t first = graph.size();
  const std::size_t edges = channel.edges.size();
  Task edge = task;
  edge.rounds = static_cast<std::uint32_t>(2 * (ranks_ - 1));
  for (const Edge& hop : channel.edges) {
    edge.latency = hop.latency;
    edge.flow =
        FlowWork{hop.route, bytes_per_edge(size) / std::int64_t{edge.rounds}, std::nullopt, 1};
    last.push_back(graph.add(edge));
    graph.depend(begin, last.back());
  }
  for (std::size_t i = 0; i < edges; ++i) {
    graph.feed(TaskId{static_cast<std::uint32_t>(first + i)},
               TaskId{static_cast<std::uint32_t>(first + (i + 1) % edges)}, 1);
  }
}

CollectiveTasks RingAllReduce::add(TaskGraph& graph, Bytes size, TaskLabel label) const {
  Task task{SimTime{0}, std::nullopt, label.category, label.subject, 1};
  task.delay = channels_.empty() ? SimTime{0} : launch_;
  const TaskId begin = graph.add(task);
  task.delay = SimTime{0};
  if (channels_.empty()) return {begin, begin};
  std::vector<TaskId> flows;
  for (const Channel& channel : channels_) {
    if (fidelity_ == Fidelity::kFluid) {
      flows.push_back(add_fluid(graph, channel, size, task, begin));
    } else {
      add_chunks(graph, channel, size, task, begin, flows);
    }
  }
  const TaskId end = graph.add(task);
  for (const TaskId flow : flows) graph.depend(flow, end);
  return {begin, end};
}

}  // namespace vgsim::collectives
