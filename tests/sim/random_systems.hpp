#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim::random_systems {

/// A flow of a random system. Ranges are small so that ties are frequent.
struct Flow {
  RouteId route{};
  std::int64_t amount = 0;
  std::optional<Ratio> cap;
  std::int64_t weight = 1;
};

inline Network network(int most_resources = 4, bool may_be_down = true) {
  Network result;
  const int resources = *rc::gen::inRange(1, most_resources + 1);
  for (int i = 0; i < resources; ++i) {
    result.resources.add(Ratio(*rc::gen::inRange(may_be_down ? 0 : 1, 6)));
  }
  const int routes = *rc::gen::inRange(1, 7);
  for (int i = 0; i < routes; ++i) {
    std::vector<Crossing> crossings(*rc::gen::inRange<std::size_t>(1, 4));
    for (Crossing& crossing : crossings) {
      crossing.resource = static_cast<ResourceId>(*rc::gen::inRange(0, resources));
      crossing.coefficient = *rc::gen::element(1, 1, 1, 2, 3);
    }
    result.routes.add(crossings);
  }
  return result;
}

inline Flow flow(const Network& network) {
  Flow result;
  result.route = static_cast<RouteId>(*rc::gen::inRange<std::size_t>(0, network.routes.size()));
  result.amount = *rc::gen::inRange(0, 7);
  if (*rc::gen::inRange(0, 3) == 0) result.cap = Ratio::of(*rc::gen::inRange(1, 5), 2);
  result.weight = *rc::gen::element(1, 1, 2, 3);
  return result;
}

/// Tasks with delays of whole seconds, flows and dependencies from lower to higher ids.
inline TaskGraph graph(const Network& network, int most_tasks = 12) {
  TaskGraph result;
  const int tasks = *rc::gen::inRange(1, most_tasks + 1);
  for (int i = 0; i < tasks; ++i) {
    Task task;
    task.delay = SimTime{*rc::gen::inRange(0, 3) * kPicosecondsPerSecond};
    task.category = *rc::gen::inRange<std::uint32_t>(0, 3);
    if (*rc::gen::inRange(0, 4) > 0) {
      const Flow work = flow(network);
      task.flow = FlowWork{work.route, Ratio(work.amount), work.cap, work.weight};
    }
    result.add(task);
    const int dependencies = i == 0 ? 0 : *rc::gen::inRange(0, 3);
    for (int d = 0; d < dependencies; ++d) {
      result.depend(static_cast<TaskId>(*rc::gen::inRange(0, i)), static_cast<TaskId>(i));
    }
  }
  return result;
}

}  // namespace vgsim::random_systems
