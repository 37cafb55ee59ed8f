#include "models/scenario/run/same_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace vgsim::scenario {
namespace {

bool same_flow(const FlowWork* a, const FlowWork* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->route == b->route && a->weight == b->weight && a->amount == b->amount &&
         a->rate_cap == b->rate_cap;
}

bool same_graph(const TaskGraph& a, const TaskGraph& b) {
  if (a.size() != b.size() || a.edges() != b.edges()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const bool same = a.delay(id) == b.delay(id) && a.latency(id) == b.latency(id) &&
                      a.rounds(id) == b.rounds(id) && a.category(id) == b.category(id) &&
                      a.subject(id) == b.subject(id) && same_flow(a.flow(id), b.flow(id));
    if (!same) return false;
  }
  return true;
}

bool same_links(const Network& a, const Network& b) {
  const auto same_change = [](const CapacityChange& x, const CapacityChange& y) {
    return x.at == y.at && x.resource == y.resource &&
           x.capacity_per_second == y.capacity_per_second;
  };
  if (a.routes.size() != b.routes.size() ||
      !std::ranges::equal(a.capacity_changes, b.capacity_changes, same_change)) {
    return false;
  }
  for (std::size_t r = 0; r < a.routes.size(); ++r) {
    const auto crossings = a.routes.crossings(static_cast<RouteId>(r));
    if (!std::ranges::equal(crossings, b.routes.crossings(static_cast<RouteId>(r)))) return false;
    for (const Crossing& crossing : crossings) {
      if (a.resources.capacity(crossing.resource) != b.resources.capacity(crossing.resource)) {
        return false;
      }
    }
  }
  return true;
}

bool is_determined(const RunOptions& options) {
  return !options.vary_delay && options.slicing.devices.empty() && !options.goes_on;
}

bool same_length(const RunOptions& a, const RunOptions& b) {
  return a.iterations == b.iterations && a.find_repeat == b.find_repeat &&
         a.end_at_repeat == b.end_at_repeat && a.most_iterations == b.most_iterations &&
         a.keep == b.keep;
}

}  // namespace

bool does_the_same(const SimulatedStep& step, const TaskGraph& graph, const Network& network) {
  return same_graph(step.graph, graph) && same_links(step.network, network);
}

void KnownSteps::add(const TaskGraph& graph, const Network& network, const RunOptions& options,
                     const Timeline& timeline) {
  constexpr std::size_t kMostTasks = 100'000;  // a copy of a larger step takes too much memory
  if (!is_determined(options) || graph.size() > kMostTasks) return;
  RunOptions length = options;
  length.report = {};
  length.limits = {};
  steps_.push_back({{graph, network}, std::move(length), timeline});
}

const Timeline* KnownSteps::find(const TaskGraph& graph, const Network& network,
                                 const RunOptions& options) const {
  if (!is_determined(options)) return nullptr;
  for (const KnownStep& known : steps_) {
    if (!same_length(known.options, options) || !does_the_same(known.step, graph, network))
      continue;
    const auto& most = options.limits.max_events;
    return most && known.timeline.events > *most ? nullptr : &known.timeline;
  }
  return nullptr;
}

}  // namespace vgsim::scenario
