#include "tests/bench/ring.hpp"

#include "tests/bench/flow_set.hpp"

namespace vgsim::bench {
namespace {

void add_messages(TaskGraph& graph, Task task, std::uint32_t hosts, std::uint32_t steps) {
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t host = 0; host < hosts; ++host) {
      task.flow->route = RouteId{host};
      const TaskId id = graph.add(task);
      if (step == 0) continue;
      const std::uint32_t before = (step - 1) * hosts;
      graph.depend(TaskId{before + host}, id);
      graph.depend(TaskId{before + (host + hosts - 1) % hosts}, id);
    }
  }
}

void add_hosts(TaskGraph& graph, Task task, std::uint32_t hosts, std::uint32_t steps) {
  task.rounds = steps;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    task.flow->route = RouteId{host};
    graph.add(task);
  }
  for (std::uint32_t host = 0; host < hosts; ++host) {
    graph.feed(TaskId{host}, TaskId{(host + 1) % hosts}, 1);
  }
}

}  // namespace

Ring ring_all_reduce(std::uint32_t hosts, std::int64_t bytes, RingTasks tasks) {
  Ring ring;
  for (std::uint32_t i = 0; i < 2 * hosts; ++i) {
    ring.network.resources.add(Ratio(kLinkBytesPerSecond));
  }
  for (std::uint32_t i = 0; i < hosts; ++i) {  // host i has link 2 i to the switch, 2 i + 1 from it
    ring.network.routes.add({{ResourceId{2 * i}}, {ResourceId{2 * ((i + 1) % hosts) + 1}}});
  }
  const Ratio chunk(bytes / hosts);
  const std::uint32_t steps = 2 * (hosts - 1);
  Task message;
  message.delay = SimTime{2 * kLinkLatencyNs} * 1000;
  message.flow = FlowWork{RouteId{}, chunk, std::nullopt, 1};
  if (tasks == RingTasks::messages) {
    add_messages(ring.graph, message, hosts, steps);
  } else {
    add_hosts(ring.graph, message, hosts, steps);
  }
  ring.messages = std::size_t{hosts} * steps;
  ring.expected = steps * (message.delay + duration_of(chunk, Ratio(kLinkBytesPerSecond)));
  return ring;
}

}  // namespace vgsim::bench
