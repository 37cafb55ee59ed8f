#include "sim/symmetry.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

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

/// One task and one resource for each class.
class Quotient {
 public:
  Quotient(const TaskGraph& full, const Network& given, const Partition& partition)
      : full_(full),
        given_(given),
        partition_(partition),
        lowest_tasks_(lowest_members(partition.task_class, partition.task_classes)),
        task_members_(member_counts(partition.task_class, partition.task_classes)),
        resource_members_(member_counts(partition.resource_class, partition.resource_classes)) {
    add_resources();
    add_tasks();
    add_edges();
  }

  TaskGraph graph;
  Network network;

 private:
  void add_resources() {
    const auto lowest = lowest_members(partition_.resource_class, partition_.resource_classes);
    for (const std::uint32_t r : lowest) {
      network.resources.add(given_.resources.capacity(ResourceId{r}));
    }
    for (const CapacityChange& change : given_.capacity_changes) {
      const auto r = static_cast<std::uint32_t>(change.resource);
      const std::uint32_t c = partition_.resource_class[r];
      if (lowest[c] != r) continue;
      network.capacity_changes.push_back({change.at, ResourceId{c}, change.capacity_per_second});
    }
  }

  /// What the flows of a class take from each resource of a class, for a rate of 1 each.
  std::vector<Crossing> crossings(RouteId given, std::uint64_t members) const {
    std::map<std::uint32_t, std::int64_t> sums;
    for (const Crossing& c : given_.routes.crossings(given)) {
      sums[partition_.resource_class[static_cast<std::size_t>(c.resource)]] += c.coefficient;
    }
    std::vector<Crossing> result;
    for (const auto& [resource, sum] : sums) {
      std::int64_t all = 0;
      const auto copies = static_cast<std::int64_t>(resource_members_[resource]);
      if (__builtin_mul_overflow(sum, static_cast<std::int64_t>(members), &all)) {
        throw OverflowError("the flows of a class weigh more than 64 bits hold");
      }
      if (all % copies != 0) throw std::logic_error("a partition is not equitable");
      result.push_back({ResourceId{resource}, all / copies});
    }
    return result;
  }

  /// Once for all classes of as many flows.
  RouteId route(RouteId given, std::uint64_t members) {
    const auto [known, is_new] = routes_.try_emplace({given, members});
    if (is_new) known->second = network.routes.add(crossings(given, members));
    return known->second;
  }

  void add_tasks() {
    for (std::uint32_t c = 0; c < lowest_tasks_.size(); ++c) {
      Task task = full_.task(TaskId{lowest_tasks_[c]});
      if (task.flow) task.flow->route = route(task.flow->route, task_members_[c]);
      graph.add(task);
    }
  }

  /// All members of a class wait for the same classes.
  void add_edges() {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, bool>> edges;
    for (const Edge& edge : full_.edges()) {
      const std::uint32_t after = partition_.task_class[index(edge.after)];
      if (lowest_tasks_[after] != index(edge.after)) continue;
      edges.emplace_back(partition_.task_class[index(edge.before)], after, edge.lag, edge.feeds);
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto& [before, after, lag, feeds] : edges) {
      if (feeds) {
        graph.feed(TaskId{before}, TaskId{after}, lag);
      } else {
        graph.depend(TaskId{before}, TaskId{after}, lag);
      }
    }
  }

  const TaskGraph& full_;
  const Network& given_;
  const Partition& partition_;
  std::vector<std::uint32_t> lowest_tasks_;  ///< by class
  std::vector<std::uint64_t> task_members_;
  std::vector<std::uint64_t> resource_members_;
  std::map<std::pair<RouteId, std::uint64_t>, RouteId> routes_;
};

/// Spreads what the classes did over their members.
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
    timeline.first_ends = of_members(timeline.first_ends, partition_.task_class);
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

  /// Turns classes that a task's record names into the members that the task meets.
  void name_members(TaskId id, TaskRecord& record) const {
    if (record.last_dependency) {
      const auto last = static_cast<std::uint32_t>(*record.last_dependency);
      const bool itself = last == partition_.task_class[index(id)] && is_own(id, record);
      record.last_dependency = itself ? id : before(id, last, record.dependency_lag);
    }
    for (FlowInterval& interval : record.intervals) {
      if (interval.limited_by) interval.limited_by = crossed(id, *interval.limited_by);
    }
  }

  /// Whether a task's first round waits for this link with that lag in iterations.
  [[nodiscard]] static bool holds_back(const Adjacency::Link& link, std::uint32_t lag) {
    return link.feeds ? link.lag == 0 && lag == 0 : link.lag == lag;
  }

  /// Whether the task waited last for its own iteration before, and for no edge of that kind.
  [[nodiscard]] bool is_own(TaskId id, const TaskRecord& record) const {
    const std::uint32_t own = partition_.task_class[index(id)];
    const auto links = in_.of(id);
    return std::none_of(links.begin(), links.end(), [&](const Adjacency::Link& link) {
      return holds_back(link, record.dependency_lag) &&
             partition_.task_class[index(link.other)] == own;
    });
  }

  /// The lowest task of a class that `id` depends on with that lag.
  [[nodiscard]] TaskId before(TaskId id, std::uint32_t task_class, std::uint32_t lag) const {
    for (const Adjacency::Link& link : in_.of(id)) {
      if (holds_back(link, lag) && partition_.task_class[index(link.other)] == task_class) {
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

Timeline simulate_by_classes(const TaskGraph& graph, const Network& network,
                             const RunOptions& options) {
  if (options.vary_delay || !options.turns.devices.empty()) {
    return simulate(graph, network, options);
  }
  graph.check();
  const Partition partition = coarsest_equitable_partition(graph, network);
  if (partition.task_classes == graph.size()) return simulate(graph, network, options);
  const Quotient quotient(graph, network, partition);
  return Lift(graph, network, partition).lift(simulate(quotient.graph, quotient.network, options));
}

}  // namespace vgsim
