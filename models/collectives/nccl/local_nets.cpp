#include "models/collectives/nccl/local_nets.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace vgsim::collectives::nccl {
namespace {

/// Keeps the NETs with the highest bandwidth and, among these, the best type.
template <typename PathTo>
std::vector<std::size_t> best(std::size_t count, const PathTo& path_to) {
  std::vector<std::size_t> found;
  float bandwidth = 0;
  PathType type = PathType::kDis;
  for (std::size_t i = 0; i < count; ++i) {
    const Path& path = path_to(i);
    if (path.bandwidth > bandwidth || (path.bandwidth == bandwidth && path.type < type)) {
      bandwidth = path.bandwidth;
      type = path.type;
      found.clear();
    }
    if (path.bandwidth == bandwidth && path.type == type) found.push_back(i);
  }
  return found;
}

/// Reverses the lowest bits of the number, so that neighbours get distant values.
std::size_t mirrored(std::size_t value, std::size_t power_of_2) {
  std::size_t result = 0;
  std::size_t mirror = power_of_2 / 2;
  for (std::size_t bit = 1; bit < power_of_2; bit *= 2, mirror /= 2) {
    if ((value & bit) != 0) result |= mirror;
  }
  return result;
}

/// The cycle of a GPU through the NETs near it.
struct NetCycle {
  std::vector<std::size_t> nets;
  std::size_t start = 0;
  std::size_t length = 1;

  [[nodiscard]] std::size_t at(std::size_t channel) const {
    return nets[(start + channel % length) % nets.size()];
  }
};

NetCycle net_cycle(const Graph& graph, const Paths& paths, std::size_t gpu, const Rules& rules) {
  NetCycle cycle{nearest_nets(graph, paths, gpu)};
  if (cycle.nets.empty()) return cycle;
  const std::size_t count = cycle.nets.size();
  const std::size_t sharing = nearest_gpus(graph, paths, cycle.nets.front()).size();
  cycle.start = static_cast<std::size_t>(graph.gpus[gpu].dev);
  if (rules.preferred_net_in_group) {
    // GPUs outside this group share the NETs as well.
    cycle.start %= graph.partial ? std::max(sharing, count) : sharing;
  }
  if (std::has_single_bit(count)) cycle.start = mirrored(cycle.start, count);
  cycle.length = (count + sharing - 1) / sharing;
  return cycle;
}

}  // namespace

NodeId nearest_cpu(const Graph& graph, const Paths& paths, std::size_t gpu, const Rules& rules) {
  const auto path_to = [&](std::size_t cpu) -> const Path& {
    return paths.at(graph.gpus[gpu].node, graph.cpus[cpu].node);
  };
  std::vector<std::size_t> cpus(graph.cpus.size());
  std::iota(cpus.begin(), cpus.end(), std::size_t{0});
  if (rules.best_type_paths) cpus = best(graph.cpus.size(), path_to);
  const auto nearest = std::min_element(
      cpus.begin(), cpus.end(),
      [&](std::size_t a, std::size_t b) { return path_to(a).hops() < path_to(b).hops(); });
  return graph.cpus.at(*nearest).node;
}

std::vector<std::size_t> nearest_nets(const Graph& graph, const Paths& paths, std::size_t gpu) {
  return best(graph.nets.size(), [&](std::size_t net) -> const Path& {
    return paths.at(graph.gpus[gpu].node, graph.nets[net].node);
  });
}

std::vector<std::size_t> nearest_gpus(const Graph& graph, const Paths& paths, std::size_t net) {
  return best(graph.gpus.size(), [&](std::size_t gpu) -> const Path& {
    return paths.at(graph.nets[net].node, graph.gpus[gpu].node);
  });
}

int preferred_net(const Graph& graph, const Paths& paths, std::size_t gpu, int channel,
                  const Rules& rules) {
  const NetCycle cycle = net_cycle(graph, paths, gpu, rules);
  if (cycle.nets.empty()) return -1;
  return static_cast<int>(cycle.at(static_cast<std::size_t>(channel)));
}

std::vector<std::size_t> preferred_nets(const Graph& graph, const Paths& paths, std::size_t gpu,
                                        const Rules& rules) {
  const NetCycle cycle = net_cycle(graph, paths, gpu, rules);
  std::vector<std::size_t> nets;
  if (cycle.nets.empty()) return nets;
  for (std::size_t c = 0; c < cycle.length; ++c) nets.push_back(cycle.at(c));
  return nets;
}

int owner_of_net(const Graph& graph, const Paths& paths, std::size_t net, const Rules& rules) {
  const std::vector<std::size_t> gpus = nearest_gpus(graph, paths, net);
  std::vector<NetCycle> cycles;
  std::size_t longest = 0;
  for (const std::size_t gpu : gpus) {
    cycles.push_back(net_cycle(graph, paths, gpu, rules));
    if (!cycles.back().nets.empty()) longest = std::max(longest, cycles.back().length);
  }
  for (std::size_t channel = 0; channel < longest; ++channel) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (!cycles[i].nets.empty() && cycles[i].at(channel) == net) return static_cast<int>(gpus[i]);
    }
  }
  return -1;
}

}  // namespace vgsim::collectives::nccl
