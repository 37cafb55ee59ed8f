#include "sim/symmetry.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/fingerprint.hpp"

namespace vgsim {
namespace {

using Word = std::uint64_t;
using Signature = std::vector<Word>;

std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }

struct SignatureHash {
  std::size_t operator()(const Signature& signature) const {
    Fingerprint print;
    for (const Word word : signature) print.add(word);
    return static_cast<std::size_t>(print.value());
  }
};

/// Gives equal signatures equal numbers, in order of first use. Signatures are compared word for
/// word; nothing depends on the order of the table.
class Numbering {
 public:
  std::uint32_t of(Signature signature) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(std::move(signature), next).first->second;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }

 private:
  std::unordered_map<Signature, std::uint32_t, SignatureHash> numbers_;
};

/// Numbers for exact values.
class Values {
 public:
  Word of(const Exact& value) {
    if (last_ != values_.end() && last_->first == value) return last_->second;
    last_ = values_.try_emplace(value, values_.size()).first;
    return last_->second;
  }

 private:
  std::map<Exact, std::size_t> values_;
  std::map<Exact, std::size_t>::const_iterator last_ = values_.end();
};

/// How far each task is from the tasks that wait for nothing: set apart early what refinement would
/// tell apart only after as many rounds.
std::vector<Word> depths(const TaskGraph& graph, const Adjacency& out, const Adjacency& in) {
  std::vector<Word> depth(graph.size(), 0);
  std::vector<std::uint32_t> waiting(graph.size(), 0);
  std::vector<TaskId> ready;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const auto& link : in.of(static_cast<TaskId>(i))) waiting[i] += link.lag == 0 ? 1U : 0U;
    if (waiting[i] == 0) ready.push_back(static_cast<TaskId>(i));
  }
  while (!ready.empty()) {
    const TaskId id = ready.back();
    ready.pop_back();
    for (const auto& link : out.of(id)) {
      if (link.lag > 0) continue;
      Word& next = depth[index(link.other)];
      next = std::max(next, depth[index(id)] + 1);
      if (--waiting[index(link.other)] == 0) ready.push_back(link.other);
    }
  }
  return depth;
}

/// Colours of tasks, routes and resources, refined round by round.
class Refinement {
 public:
  Refinement(const TaskGraph& graph, const Network& network)
      : graph_(graph),
        network_(network),
        out_(graph.size(), graph.edges(), Adjacency::Side::out),
        in_(graph.size(), graph.edges(), Adjacency::Side::in),
        users_(network.routes.size()),
        crossed_by_(network.resources.size()) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (const FlowWork* flow = graph.flow(static_cast<TaskId>(i))) {
        users_[static_cast<std::size_t>(flow->route)].push_back(static_cast<std::uint32_t>(i));
      }
    }
    for (std::uint32_t r = 0; r < users_.size(); ++r) {
      if (users_[r].empty()) continue;
      for (const Crossing& c : network.routes.crossings(RouteId{r})) {
        crossed_by_[static_cast<std::size_t>(c.resource)].emplace_back(r, c.coefficient);
      }
    }
  }

  Partition refine() && {
    colour_first();
    for (std::size_t before = 0; before != colours();) {
      before = colours();
      colour_routes();
      colour_resources();
      colour_tasks();
    }
    order_resources();
    return {std::move(tasks_), std::move(resources_), task_colours_, resource_colours_};
  }

 private:
  [[nodiscard]] std::size_t colours() const {
    return std::size_t{task_colours_} + route_colours_ + resource_colours_;
  }

  void colour_first() {
    Values values;
    const std::vector<Word> depth = depths(graph_, out_, in_);
    Numbering tasks;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const auto id = static_cast<TaskId>(i);
      Signature s{static_cast<Word>(graph_.delay(id).count()), graph_.category(id),
                  graph_.rounds(id), depth[i], static_cast<Word>(graph_.latency(id).count())};
      if (const FlowWork* flow = graph_.flow(id)) {
        s.push_back(values.of(flow->amount));
        s.push_back(static_cast<Word>(flow->weight));
        if (flow->rate_cap) s.push_back(values.of(*flow->rate_cap));
      }
      tasks_.push_back(tasks.of(std::move(s)));
    }
    task_colours_ = tasks.size();
    std::vector<Signature> of_resource(network_.resources.size());
    for (std::size_t r = 0; r < of_resource.size(); ++r) {
      of_resource[r].push_back(values.of(network_.resources.capacity(static_cast<ResourceId>(r))));
    }
    for (const CapacityChange& change : network_.capacity_changes) {
      Signature& s = of_resource.at(static_cast<std::size_t>(change.resource));
      s.push_back(static_cast<Word>(change.at.count()));
      s.push_back(values.of(change.capacity_per_second));
    }
    Numbering resources;
    for (Signature& s : of_resource) resources_.push_back(resources.of(std::move(s)));
    resource_colours_ = resources.size();
    routes_.resize(network_.routes.size(), 0);
  }

  void colour_routes() {
    Numbering numbers;
    for (std::uint32_t r = 0; r < routes_.size(); ++r) {
      Signature s;
      if (!users_[r].empty()) {
        for (const Crossing& c : network_.routes.crossings(RouteId{r})) {
          s.push_back(Word{resources_[static_cast<std::size_t>(c.resource)]} << 32 |
                      numbered(c.coefficient));
        }
        std::sort(s.begin(), s.end());
        s.push_back(s.size());
        const std::size_t users_from = s.size();
        for (const std::uint32_t task : users_[r]) s.push_back(tasks_[task]);
        std::sort(s.begin() + static_cast<std::ptrdiff_t>(users_from), s.end());
      }
      s.push_back(routes_[r]);
      next_.push_back(numbers.of(std::move(s)));
    }
    take(routes_, route_colours_, numbers);
  }

  void colour_resources() {
    Numbering numbers;
    for (std::size_t r = 0; r < resources_.size(); ++r) {
      Signature s;
      for (const auto& [route, coefficient] : crossed_by_[r]) {
        s.push_back(Word{routes_[route]} << 32 | numbered(coefficient));
      }
      std::sort(s.begin(), s.end());
      s.push_back(resources_[r]);
      next_.push_back(numbers.of(std::move(s)));
    }
    take(resources_, resource_colours_, numbers);
  }

  void colour_tasks() {
    Numbering numbers;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto id = static_cast<TaskId>(i);
      Signature s;
      for (const auto* side : {&out_, &in_}) {
        const std::size_t from = s.size();
        for (const Adjacency::Link& link : side->of(id)) {
          s.push_back(Word{tasks_[index(link.other)]} << 32 | Word{link.lag} << 1 |
                      (link.feeds ? 1U : 0U));
        }
        std::sort(s.begin() + static_cast<std::ptrdiff_t>(from), s.end());
        s.push_back(s.size() - from);
      }
      const FlowWork* flow = graph_.flow(id);
      s.push_back(flow == nullptr ? 0 : routes_[static_cast<std::size_t>(flow->route)] + Word{1});
      s.push_back(tasks_[i]);
      next_.push_back(numbers.of(std::move(s)));
    }
    take(tasks_, task_colours_, numbers);
  }

  /// Numbers the classes of resources as the flows of the lowest tasks meet them, so that where
  /// several hold such a flow back, the class of the lowest of them comes first.
  void order_resources() {
    constexpr auto kUnmet = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> number(resource_colours_, kUnmet);
    std::uint32_t next = 0;
    const auto meet = [&](std::uint32_t colour) {
      if (number[colour] == kUnmet) number[colour] = next++;
    };
    std::vector<bool> seen(task_colours_, false);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const FlowWork* flow = graph_.flow(static_cast<TaskId>(i));
      if (flow == nullptr || seen[tasks_[i]]) continue;
      seen[tasks_[i]] = true;
      for (const Crossing& c : network_.routes.crossings(flow->route)) {
        meet(resources_[static_cast<std::size_t>(c.resource)]);
      }
    }
    for (std::uint32_t& colour : resources_) {
      meet(colour);
      colour = number[colour];
    }
  }

  void take(std::vector<std::uint32_t>& colours, std::uint32_t& count, const Numbering& numbers) {
    colours.swap(next_);
    next_.clear();
    count = numbers.size();
  }

  /// Coefficients fit 32 bits by their number.
  Word numbered(std::int64_t coefficient) {
    return coefficients_.try_emplace(coefficient, coefficients_.size()).first->second;
  }

  const TaskGraph& graph_;
  const Network& network_;
  Adjacency out_;
  Adjacency in_;
  std::vector<std::vector<std::uint32_t>> users_;  ///< by RouteId: tasks
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> crossed_by_;  ///< by resource
  std::vector<std::uint32_t> tasks_, routes_, resources_, next_;
  std::uint32_t task_colours_ = 0;
  std::uint32_t route_colours_ = 0;
  std::uint32_t resource_colours_ = 0;
  std::map<std::int64_t, Word> coefficients_;
};

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
  std::vector<Crossing> crossings(const FlowWork& flow, std::uint64_t members) const {
    std::map<std::uint32_t, std::int64_t> sums;
    for (const Crossing& c : given_.routes.crossings(flow.route)) {
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

  void add_tasks() {
    const auto lowest = lowest_members(partition_.task_class, partition_.task_classes);
    for (std::uint32_t c = 0; c < lowest.size(); ++c) {
      Task task = full_.task(TaskId{lowest[c]});
      if (task.flow) task.flow->route = network.routes.add(crossings(*task.flow, task_members_[c]));
      graph.add(task);
    }
  }

  void add_edges() {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, bool>> edges;
    for (const Edge& edge : full_.edges()) {
      edges.emplace_back(partition_.task_class[index(edge.before)],
                         partition_.task_class[index(edge.after)], edge.lag, edge.feeds);
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
  std::vector<std::uint64_t> task_members_;
  std::vector<std::uint64_t> resource_members_;
};

/// Spreads what the classes did over their members.
class Lift {
 public:
  Lift(const TaskGraph& graph, const Network& network, const Partition& partition)
      : graph_(graph),
        network_(network),
        partition_(partition),
        in_(graph.size(), graph.edges(), Adjacency::Side::in) {}

  Timeline lift(Timeline classes) const {
    Timeline full = classes;
    for (std::uint64_t back = 0; back <= classes.earlier.size(); ++back) {
      std::vector<TaskRecord>& records = back == 0 ? full.tasks : full.earlier[back - 1];
      records.resize(graph_.size());
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        records[i] = record_of(static_cast<TaskId>(i), classes, back);
      }
    }
    full.first_ends.resize(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      full.first_ends[i] = classes.first_ends[partition_.task_class[i]];
    }
    full.carried.resize(network_.resources.size());
    for (std::size_t r = 0; r < full.carried.size(); ++r) {
      full.carried[r] = classes.carried[partition_.resource_class[r]];
    }
    return full;
  }

 private:
  [[nodiscard]] TaskRecord record_of(TaskId id, const Timeline& classes, std::uint64_t back) const {
    TaskRecord record = *classes.find(TaskId{partition_.task_class[index(id)]}, back);
    if (record.last_dependency) {
      const auto last = static_cast<std::uint32_t>(*record.last_dependency);
      const bool itself = last == partition_.task_class[index(id)] && is_own(id, record);
      record.last_dependency = itself ? id : before(id, last, record.dependency_lag);
    }
    for (FlowInterval& interval : record.intervals) {
      if (interval.limited_by) interval.limited_by = crossed(id, *interval.limited_by);
    }
    return record;
  }

  /// Whether the task waited last for its own iteration before, and for no edge of that kind.
  [[nodiscard]] bool is_own(TaskId id, const TaskRecord& record) const {
    const std::uint32_t own = partition_.task_class[index(id)];
    const auto links = in_.of(id);
    return std::none_of(links.begin(), links.end(), [&](const Adjacency::Link& link) {
      return !link.feeds && link.lag == record.dependency_lag &&
             partition_.task_class[index(link.other)] == own;
    });
  }

  /// The lowest task of a class that `id` depends on with that lag.
  [[nodiscard]] TaskId before(TaskId id, std::uint32_t task_class, std::uint32_t lag) const {
    for (const Adjacency::Link& link : in_.of(id)) {
      if (!link.feeds && link.lag == lag &&
          partition_.task_class[index(link.other)] == task_class) {
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

Partition coarsest_equitable_partition(const TaskGraph& graph, const Network& network) {
  return Refinement(graph, network).refine();
}

Timeline simulate_by_classes(const TaskGraph& graph, const Network& network,
                             const RunOptions& options) {
  if (options.vary_delay) return simulate(graph, network, options);
  graph.check();
  const Partition partition = coarsest_equitable_partition(graph, network);
  if (partition.task_classes == graph.size()) return simulate(graph, network, options);
  const Quotient quotient(graph, network, partition);
  return Lift(graph, network, partition).lift(simulate(quotient.graph, quotient.network, options));
}

}  // namespace vgsim
