#include "sim/floor_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/carried.hpp"

namespace vgsim {
namespace {

using Violation = std::optional<std::string>;
using Window = std::pair<SimTime, SimTime>;

std::vector<Ratio> highest_capacities(const Network& network) {
  std::vector<Ratio> highest;
  for (std::size_t i = 0; i < network.resources.size(); ++i) {
    highest.push_back(network.resources.capacity(static_cast<ResourceId>(i)));
  }
  for (const CapacityChange& change : network.capacity_changes) {
    Ratio& capacity = highest.at(static_cast<std::size_t>(change.resource));
    capacity = std::max(capacity, change.capacity_per_second);
  }
  return highest;
}

/// Records of all tasks, `back` iterations before the last; nullptr if they were not kept.
const std::vector<TaskRecord>* records_of(const Timeline& timeline, std::uint64_t back) {
  if (back == 0) return &timeline.tasks;
  return back <= timeline.earlier.size() ? &timeline.earlier[back - 1] : nullptr;
}

Violation check_dependencies(const TaskGraph& graph, const Timeline& timeline, std::uint64_t back) {
  const std::vector<TaskRecord>& records = *records_of(timeline, back);
  for (const Edge& edge : graph.edges()) {
    const auto* earlier = edge.feeds ? nullptr : records_of(timeline, back + edge.lag);
    if (earlier == nullptr) continue;
    const TaskRecord& after = records[index(edge.after)];
    const TaskRecord& before = (*earlier)[index(edge.before)];
    if (after.ready >= before.end) continue;
    return fmt::format("task {} is ready at {} ps, before task {} ends at {} ps", index(edge.after),
                       after.ready.count(), index(edge.before), before.end.count());
  }
  return std::nullopt;
}

Violation check_order(const TaskGraph& graph, const Timeline& timeline, std::uint64_t back,
                      bool delays_vary) {
  if (Violation violation = check_dependencies(graph, timeline, back)) return violation;
  const std::vector<TaskRecord>& records = *records_of(timeline, back);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const TaskRecord& record = records[i];
    const SimTime delay = delays_vary ? SimTime{0} : graph.delay(id) * graph.rounds(id);
    if (record.ready < SimTime{0} || record.flow_begin - record.ready < delay ||
        record.flow_end < record.flow_begin || record.end - record.flow_end < graph.latency(id)) {
      return fmt::format("task {} runs from {} over {} to {} ps with a delay of {} ps", i,
                         record.ready.count(), record.flow_begin.count(), record.end.count(),
                         delay.count());
    }
  }
  return std::nullopt;
}

Violation check_makespan(const Timeline& timeline) {
  SimTime last{};
  for (const TaskRecord& record : timeline.tasks) last = std::max(last, record.end);
  if (last == timeline.makespan) return std::nullopt;
  return fmt::format("the makespan is {} ps, but the last task ends at {} ps",
                     timeline.makespan.count(), last.count());
}

/// Sorted, with adjacent and overlapping windows merged.
std::vector<Window> merged(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end());
  std::vector<Window> result;
  for (const Window& window : windows) {
    if (!result.empty() && window.first <= result.back().second) {
      result.back().second = std::max(result.back().second, window.second);
    } else {
      result.push_back(window);
    }
  }
  return result;
}

/// Total length of sorted windows.
SimTime covered(const std::vector<Window>& windows) {
  SimTime total{};
  SimTime reached{};
  for (const auto& [begin, end] : windows) {
    const SimTime from = std::max(begin, reached);
    if (from < end) total += end - from;
    reached = std::max(reached, end);
  }
  return total;
}

/// The load of a route: the highest amount per second that its narrowest crossing admits, the work
/// of its flows and when they are active.
struct RouteLoad {
  std::optional<Ratio> narrowest;  ///< nothing for a route without crossings
  std::size_t narrowest_resource = 0;
  RatioSum work;
  std::vector<Window> windows;  ///< sorted and merged once complete
};

std::vector<RouteLoad> route_loads(const Network& network, const std::vector<Ratio>& capacities) {
  std::vector<RouteLoad> loads(network.routes.size());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    for (const auto& [resource, coefficient] : network.routes.crossings(static_cast<RouteId>(i))) {
      Ratio through = capacities.at(static_cast<std::size_t>(resource)) / coefficient;
      if (loads[i].narrowest && !(through < *loads[i].narrowest)) continue;
      loads[i].narrowest = std::move(through);
      loads[i].narrowest_resource = static_cast<std::size_t>(resource);
    }
  }
  return loads;
}

Violation check_flow(std::size_t task, const FlowWork& flow, const Ratio& amount, SimTime time,
                     const RouteLoad& route) {
  if (flow.rate_cap && delivers_less(*flow.rate_cap, time, amount)) {
    return fmt::format("task {}'s flow takes {} ps, less than its rate cap allows", task,
                       time.count());
  }
  if (route.narrowest && delivers_less(*route.narrowest, time, amount)) {
    return fmt::format("task {}'s flow takes {} ps, less than resource {} allows", task,
                       time.count(), route.narrowest_resource);
  }
  return std::nullopt;
}

/// The routes that cross each resource and are used at all, ascending.
class Crossed {
 public:
  Crossed(const Network& network, const std::vector<RouteLoad>& routes)
      : offsets_(network.resources.size() + 1, 0) {
    const auto for_each = [&](const auto& visit) {
      for (std::uint32_t i = 0; i < routes.size(); ++i) {
        if (routes[i].windows.empty()) continue;
        for (const Crossing& c : network.routes.crossings(RouteId{i})) {
          visit(static_cast<std::size_t>(c.resource), i);
        }
      }
    };
    for_each([&](std::size_t resource, std::uint32_t) { ++offsets_[resource + 1]; });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    routes_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for_each([&](std::size_t resource, std::uint32_t i) { routes_[next[resource]++] = i; });
  }

  [[nodiscard]] std::span<const std::uint32_t> by(std::size_t resource) const {
    return std::span(routes_).subspan(offsets_[resource],
                                      offsets_[resource + 1] - offsets_[resource]);
  }

 private:
  std::vector<std::size_t> offsets_;  ///< by resource
  std::vector<std::uint32_t> routes_;
};

/// The time during which at least one flow on any of the routes is active. Most resources of a
/// cluster have the same routes as many others, so results are cached by set of routes.
class BusyTimes {
 public:
  explicit BusyTimes(const std::vector<RouteLoad>& routes) : routes_(&routes) {}

  SimTime of(std::span<const std::uint32_t> ids) {
    const auto known = known_.find(ids);
    if (known != known_.end()) return known->second;
    std::vector<Window> windows;
    for (const std::uint32_t id : ids) {
      const auto& more = (*routes_)[id].windows;
      windows.insert(windows.end(), more.begin(), more.end());
    }
    std::sort(windows.begin(), windows.end());
    return known_.emplace(ids, covered(windows)).first->second;
  }

 private:
  struct Less {
    bool operator()(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
      return std::ranges::lexicographical_compare(a, b);
    }
  };

  const std::vector<RouteLoad>* routes_;
  std::map<std::span<const std::uint32_t>, SimTime, Less> known_;  ///< keys point into Crossed
};

Violation check_loads(const Network& network, const std::vector<RouteLoad>& routes,
                      const std::vector<Ratio>& capacities) {
  std::vector<RatioSum> works;
  for (const RouteLoad& route : routes) works.push_back(route.work);
  const std::vector<Ratio> carried = carried_over(network, works);
  const Crossed crossed(network, routes);
  BusyTimes busy_times(routes);
  for (std::size_t r = 0; r < carried.size(); ++r) {
    if (carried[r] == 0) continue;
    const SimTime busy = busy_times.of(crossed.by(r));
    if (delivers_less(capacities[r], busy, carried[r])) {
      return fmt::format("resource {} is busy for {} ps, too little for all its flows", r,
                         busy.count());
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> floor_violation(const TaskGraph& graph, const Network& network,
                                           const Timeline& timeline, bool delays_vary) {
  if (timeline.tasks.size() != graph.size()) return "the timeline lacks tasks of the graph";
  const std::uint64_t kept = timeline.earlier.size() + 1;
  for (std::uint64_t back = 0; back < kept; ++back) {
    if (Violation violation = check_order(graph, timeline, back, delays_vary)) return violation;
  }
  if (Violation violation = check_makespan(timeline)) return violation;
  const std::vector<Ratio> capacities = highest_capacities(network);
  std::vector<RouteLoad> routes = route_loads(network, capacities);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    const FlowWork* flow = graph.flow(id);
    if (flow == nullptr) continue;
    RouteLoad& route = routes[static_cast<std::size_t>(flow->route)];
    const Ratio amount = flow->amount * graph.rounds(id);
    for (std::uint64_t back = 0; back < kept; ++back) {
      const TaskRecord& record = (*records_of(timeline, back))[i];
      if (Violation violation =
              check_flow(i, *flow, amount, record.flow_end - record.flow_begin, route)) {
        return violation;
      }
      route.work.add(amount, 1);
      // Flows of several rounds may be active at any time during the task.
      route.windows.emplace_back(graph.rounds(id) == 1 ? record.flow_begin : record.ready,
                                 record.flow_end);
    }
  }
  for (RouteLoad& route : routes) route.windows = merged(std::move(route.windows));
  return check_loads(network, routes, capacities);
}

}  // namespace vgsim
