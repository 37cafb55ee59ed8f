#include "sim/symmetry.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/lru_cache.hpp"

namespace vgsim {
namespace {

std::vector<std::uint64_t> member_counts(const std::vector<std::uint32_t>& classes,
                                         std::uint32_t count) {
  std::vector<std::uint64_t> members(count, 0);
  for (const std::uint32_t c : classes) ++members[c];
  return members;
}

/// The lowest member of each class.
std::vector<std::uint32_t> lowest_members(const std::vector<std::uint32_t>& classes,
                                          std::uint32_t count) {
  std::vector<std::uint32_t> lowest(count);
  for (std::size_t i = classes.size(); i-- > 0;) {
    lowest[classes[i]] = static_cast<std::uint32_t>(i);
  }
  return lowest;
}

/// Everything that the partition depends on, as words: initial colours, dependencies and crossings.
using Pattern = std::vector<std::uint32_t>;

Pattern pattern_of(const TaskGraph& graph, const Network& network, const InitialColours& own) {
  constexpr auto kNone = static_cast<std::uint32_t>(-1);
  Pattern words{static_cast<std::uint32_t>(graph.size()),
                static_cast<std::uint32_t>(network.resources.size()),
                static_cast<std::uint32_t>(graph.edges().size())};
  words.reserve(words.size() + 2 * graph.size() + own.of_resource.size() +
                3 * graph.edges().size());
  words.insert(words.end(), own.of_task.begin(), own.of_task.end());
  words.insert(words.end(), own.of_resource.begin(), own.of_resource.end());
  std::vector<bool> used(network.routes.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const FlowWork* flow = graph.flow(static_cast<TaskId>(i));
    words.push_back(flow == nullptr ? kNone : static_cast<std::uint32_t>(flow->route));
    if (flow != nullptr) used[static_cast<std::size_t>(flow->route)] = true;
  }
  for (const Edge& edge : graph.edges()) {
    const std::uint32_t kind = 2U * edge.lag + (edge.feeds ? 1 : 0);
    words.insert(words.end(), {static_cast<std::uint32_t>(edge.before),
                               static_cast<std::uint32_t>(edge.after), kind});
  }
  for (std::uint32_t r = 0; r < used.size(); ++r) {
    if (!used[r]) continue;
    const auto crossings = network.routes.crossings(RouteId{r});
    words.insert(words.end(), {r, static_cast<std::uint32_t>(crossings.size())});
    for (const Crossing& c : crossings) {
      const auto coefficient = static_cast<std::uint64_t>(c.coefficient);
      words.insert(words.end(),
                   {static_cast<std::uint32_t>(c.resource), static_cast<std::uint32_t>(coefficient),
                    static_cast<std::uint32_t>(coefficient >> 32)});
    }
  }
  return words;
}

/// The structure of the quotient: one task and one resource for each class, without their values.
struct QuotientStructure {
  QuotientStructure(const TaskGraph& graph, const Network& network, const InitialColours& own)
      : partition(coarsest_equitable_partition(graph, network, own)),
        lowest_tasks(lowest_members(partition.task_class, partition.task_classes)),
        lowest_resources(lowest_members(partition.resource_class, partition.resource_classes)) {
    if (partition.task_classes == graph.size()) return;
    add_routes(graph, network);
    add_edges(graph);
  }

  Partition partition;
  std::vector<std::uint32_t> lowest_tasks;      ///< by class
  std::vector<std::uint32_t> lowest_resources;  ///< the same
  RouteTable routes;
  std::vector<RouteId> route_of;  ///< by task class; unspecified without a flow
  std::vector<Edge> edges;        ///< between classes

 private:
  /// One route for all classes with the same route and the same number of flows.
  void add_routes(const TaskGraph& graph, const Network& network) {
    const auto flows = member_counts(partition.task_class, partition.task_classes);
    const auto copies = member_counts(partition.resource_class, partition.resource_classes);
    std::map<std::pair<RouteId, std::uint64_t>, RouteId> known;
    for (std::uint32_t c = 0; c < lowest_tasks.size(); ++c) {
      RouteId& own = route_of.emplace_back();
      const FlowWork* flow = graph.flow(TaskId{lowest_tasks[c]});
      if (flow == nullptr) continue;
      const auto [route, is_new] = known.try_emplace({flow->route, flows[c]});
      if (is_new) {
        route->second =
            routes.add(crossings(network.routes.crossings(flow->route), flows[c], copies));
      }
      own = route->second;
    }
  }

  /// The load of the flows of a class on one resource of each class, for a rate of 1 each.
  [[nodiscard]] std::vector<Crossing> crossings(std::span<const Crossing> given,
                                                std::uint64_t flows,
                                                const std::vector<std::uint64_t>& copies) const {
    std::map<std::uint32_t, std::int64_t> sums;
    for (const Crossing& c : given) {
      sums[partition.resource_class[static_cast<std::size_t>(c.resource)]] += c.coefficient;
    }
    std::vector<Crossing> result;
    for (const auto& [resource, sum] : sums) {
      std::int64_t all = 0;
      if (__builtin_mul_overflow(sum, static_cast<std::int64_t>(flows), &all)) {
        throw OverflowError("the weights of the flows of a class exceed 64 bits");
      }
      const auto each = static_cast<std::int64_t>(copies[resource]);
      if (all % each != 0) throw std::logic_error("a partition is not equitable");
      result.push_back({ResourceId{resource}, all / each});
    }
    return result;
  }

  /// All members of a class wait for the same classes, so the edges of the lowest member suffice.
  void add_edges(const TaskGraph& graph) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, bool>> found;
    for (const Edge& edge : graph.edges()) {
      const std::uint32_t after = partition.task_class[index(edge.after)];
      if (lowest_tasks[after] != index(edge.after)) continue;
      found.emplace_back(partition.task_class[index(edge.before)], after, edge.lag, edge.feeds);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const auto& [before, after, lag, feeds] : found) {
      edges.push_back({TaskId{before}, TaskId{after}, lag, feeds});
    }
  }
};

/// Returns a cached structure if one exists. A graph with other values but equal ones in the same
/// places has the same structure, as in most draws, sweep points and tried changes.
std::shared_ptr<const QuotientStructure> quotient_structure(const TaskGraph& graph,
                                                            const Network& network) {
  // Limits each cache to 16 MiB.
  constexpr std::size_t kSmall = std::size_t{1} << 18;
  constexpr std::size_t kLarge = std::size_t{1} << 22;
  const InitialColours own(graph, network);
  const auto build = [&](const Pattern&) {
    graph.check();
    return QuotientStructure(graph, network, own);
  };
  const Pattern pattern = pattern_of(graph, network, own);
  if (pattern.size() > kLarge) return std::make_shared<const QuotientStructure>(build(pattern));
  static LruCache<Pattern, QuotientStructure> small(16);
  static LruCache<Pattern, QuotientStructure> large(1);
  return (pattern.size() > kSmall ? large : small).get(pattern, build);
}

/// The quotient graph and network, with the values of the lowest members.
class Quotient {
 public:
  Quotient(const TaskGraph& full, const Network& given, const QuotientStructure& structure) {
    for (const std::uint32_t r : structure.lowest_resources) {
      network.resources.add(given.resources.capacity(ResourceId{r}));
    }
    network.routes = structure.routes;
    for (const CapacityChange& change : given.capacity_changes) {
      const auto r = static_cast<std::uint32_t>(change.resource);
      const std::uint32_t c = structure.partition.resource_class[r];
      if (structure.lowest_resources[c] != r) continue;
      network.capacity_changes.push_back({change.at, ResourceId{c}, change.capacity_per_second});
    }
    for (std::uint32_t c = 0; c < structure.lowest_tasks.size(); ++c) {
      Task task = full.task(TaskId{structure.lowest_tasks[c]});
      if (task.flow) task.flow->route = structure.route_of[c];
      graph.add(task);
    }
    for (const Edge& edge : structure.edges) {
      if (edge.feeds) {
        graph.feed(edge.before, edge.after, edge.lag);
      } else {
        graph.depend(edge.before, edge.after, edge.lag);
      }
    }
  }

  TaskGraph graph;
  Network network;
};

/// Expands the timeline of the quotient to all members.
class Lift {
 public:
  Lift(const TaskGraph& graph, const Network& network, const Partition& partition)
      : graph_(graph),
        network_(network),
        partition_(partition),
        in_(graph.size(), graph.edges(), Adjacency::Side::in) {}

  Timeline lift(Timeline timeline) const {
    timeline.tasks = lifted(timeline.tasks);
    for (std::vector<TaskRecord>& records : timeline.earlier) records = lifted(records);
    if (!timeline.first_ends.empty()) {
      timeline.first_ends = of_members(timeline.first_ends, partition_.task_class);
    }
    timeline.carried = of_members(timeline.carried, partition_.resource_class);
    return timeline;
  }

 private:
  template <class T>
  static std::vector<T> of_members(const std::vector<T>& of_classes,
                                   const std::vector<std::uint32_t>& class_of) {
    std::vector<T> values;
    values.reserve(class_of.size());
    for (const std::uint32_t c : class_of) values.push_back(of_classes[c]);
    return values;
  }

  [[nodiscard]] std::vector<TaskRecord> lifted(const std::vector<TaskRecord>& of_classes) const {
    std::vector<TaskRecord> records = of_members(of_classes, partition_.task_class);
    for (std::size_t i = 0; i < records.size(); ++i)
      name_members(static_cast<TaskId>(i), records[i]);
    return records;
  }

  /// Replaces classes in a task record by the members that belong to the task.
  void name_members(TaskId id, TaskRecord& record) const {
    if (record.last_dependency != kNoTask) {
      const auto last = static_cast<std::uint32_t>(record.last_dependency);
      const bool itself = last == partition_.task_class[index(id)] && waits_for_itself(id, record);
      record.last_dependency = itself ? id : before(id, last, record.dependency_lag);
    }
    for (FlowInterval& interval : record.intervals) {
      if (interval.limited_by) interval.limited_by = crossed(id, *interval.limited_by);
    }
  }

  /// Whether the first round of a task waits for this link with that lag in iterations.
  [[nodiscard]] static bool applies(const Adjacency::Link& link, std::uint32_t lag) {
    return link.feeds ? link.lag == 0 && lag == 0 : link.lag == lag;
  }

  /// Whether the last dependency was the previous iteration of the task itself, without such an
  /// edge.
  [[nodiscard]] bool waits_for_itself(TaskId id, const TaskRecord& record) const {
    const std::uint32_t own = partition_.task_class[index(id)];
    const auto links = in_.of(id);
    return std::none_of(links.begin(), links.end(), [&](const Adjacency::Link& link) {
      return applies(link, record.dependency_lag) &&
             partition_.task_class[index(link.other)] == own;
    });
  }

  /// The lowest task of a class that `id` depends on with that lag.
  [[nodiscard]] TaskId before(TaskId id, std::uint32_t task_class, std::uint32_t lag) const {
    for (const Adjacency::Link& link : in_.of(id)) {
      if (applies(link, lag) && partition_.task_class[index(link.other)] == task_class) {
        return link.other;
      }
    }
    throw std::logic_error("a class depends on one that its member does not depend on");
  }

  /// The lowest resource of a class that the task's flow crosses.
  [[nodiscard]] ResourceId crossed(TaskId id, ResourceId resource_class) const {
    for (const Crossing& c : network_.routes.crossings(graph_.flow(id)->route)) {
      if (partition_.resource_class[static_cast<std::size_t>(c.resource)] ==
          static_cast<std::uint32_t>(resource_class)) {
        return c.resource;
      }
    }
    throw std::logic_error("a class crosses a resource that its member does not cross");
  }

  const TaskGraph& graph_;
  const Network& network_;
  const Partition& partition_;
  Adjacency in_;
};

}  // namespace

/// Computes the quotient of the graph under its coarsest equitable partition, simulates it and
/// expands the timeline to all members.
Timeline simulate_by_classes(const TaskGraph& graph, const Network& network,
                             const RunOptions& options, const Inspect& inspect) {
  const auto run = [&](const TaskGraph& tasks, const Network& links) {
    Timeline timeline = simulate(tasks, links, options);
    if (inspect) inspect(tasks, links, timeline);
    return timeline;
  };
  if (options.vary_delay || !options.slicing.devices.empty()) return run(graph, network);
  const auto structure = quotient_structure(graph, network);
  if (structure->partition.task_classes == graph.size()) return run(graph, network);
  const Quotient quotient(graph, network, *structure);
  return Lift(graph, network, structure->partition).lift(run(quotient.graph, quotient.network));
}

}  // namespace vgsim
