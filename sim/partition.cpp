#include "sim/partition.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "sim/ratio.hpp"

namespace vgsim {
namespace {

using Word = std::uint64_t;
using Signature = std::vector<Word>;

/// Gives equal signatures equal numbers, in order of first use. Signatures are compared word for
/// word; nothing depends on the order of the table. All of them lie one after the other in one
/// array, since there are as many as tasks, and most are short.
class Numbering {
 public:
  std::uint32_t of(const Signature& signature) {
    if (2 * (ends_.size() + 1) > slots_.size()) grow();
    std::size_t slot = hash_of(signature) & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      if (is(slots_[slot], signature)) return slots_[slot];
    }
    slots_[slot] = size();
    words_.insert(words_.end(), signature.begin(), signature.end());
    ends_.push_back(words_.size());
    return slots_[slot];
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

 private:
  static constexpr auto kFree = static_cast<std::uint32_t>(-1);

  template <class Words>
  static std::size_t hash_of(const Words& words) {
    std::uint64_t hash = words.size();
    for (const Word word : words) {
      hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }

  [[nodiscard]] std::span<const Word> known(std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(words_).subspan(begin, ends_[number] - begin);
  }

  [[nodiscard]] bool is(std::uint32_t number, const Signature& signature) const {
    const auto words = known(number);
    return std::equal(words.begin(), words.end(), signature.begin(), signature.end());
  }

  void grow() {
    constexpr std::size_t kFirst = 64;
    std::vector<std::uint32_t> slots(std::max(kFirst, 4 * slots_.size()), kFree);
    for (std::uint32_t number = 0; number < size(); ++number) {
      std::size_t slot = hash_of(known(number)) & (slots.size() - 1);
      while (slots[slot] != kFree) slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = number;
    }
    slots_ = std::move(slots);
  }

  std::vector<std::uint32_t> slots_;  ///< numbers, where their hashes say or behind; a power of two
  std::vector<std::size_t> ends_;     ///< by number: where its words end
  std::vector<Word> words_;
};

/// Numbers for exact values.
class Values {
 public:
  Word of(const Ratio& value) {
    if (last_ != values_.end() && last_->first == value) return last_->second;
    last_ = values_.try_emplace(value, values_.size()).first;
    return last_->second;
  }

 private:
  std::map<Ratio, std::size_t> values_;
  std::map<Ratio, std::size_t>::const_iterator last_ = values_.end();
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
    Signature s;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const auto id = static_cast<TaskId>(i);
      s = {static_cast<Word>(graph_.delay(id).count()), graph_.category(id), graph_.rounds(id),
           depth[i], static_cast<Word>(graph_.latency(id).count())};
      if (const FlowWork* flow = graph_.flow(id)) {
        s.push_back(values.of(flow->amount));
        s.push_back(static_cast<Word>(flow->weight));
        if (flow->rate_cap) s.push_back(values.of(*flow->rate_cap));
      }
      tasks_.push_back(tasks.of(s));
    }
    task_colours_ = tasks.size();
    std::vector<Signature> of_resource(network_.resources.size());
    for (std::size_t r = 0; r < of_resource.size(); ++r) {
      of_resource[r].push_back(values.of(network_.resources.capacity(static_cast<ResourceId>(r))));
    }
    for (const CapacityChange& change : network_.capacity_changes) {
      Signature& own = of_resource.at(static_cast<std::size_t>(change.resource));
      own.push_back(static_cast<Word>(change.at.count()));
      own.push_back(values.of(change.capacity_per_second));
    }
    Numbering resources;
    for (const Signature& own : of_resource) resources_.push_back(resources.of(own));
    resource_colours_ = resources.size();
    routes_.resize(network_.routes.size(), 0);
  }

  void colour_routes() {
    Numbering numbers;
    Signature s;
    for (std::uint32_t r = 0; r < routes_.size(); ++r) {
      s.clear();
      if (!users_[r].empty()) {
        for (const Crossing& c : network_.routes.crossings(RouteId{r})) {
          s.push_back(Word{resources_[static_cast<std::size_t>(c.resource)]} << 32 |
                      numbered(c.coefficient));
        }
        std::sort(s.begin(), s.end());
        const std::size_t users_from = s.size();
        for (const std::uint32_t task : users_[r]) s.push_back(tasks_[task]);
        std::sort(s.begin() + static_cast<std::ptrdiff_t>(users_from), s.end());
        s.push_back(users_[r].size());  // else it is open where crossings end and users begin
      }
      s.push_back(routes_[r]);
      next_.push_back(numbers.of(s));
    }
    take(routes_, route_colours_, numbers);
  }

  void colour_resources() {
    Numbering numbers;
    Signature s;
    for (std::size_t r = 0; r < resources_.size(); ++r) {
      s.clear();
      for (const auto& [route, coefficient] : crossed_by_[r]) {
        s.push_back(Word{routes_[route]} << 32 | numbered(coefficient));
      }
      std::sort(s.begin(), s.end());
      s.push_back(resources_[r]);
      next_.push_back(numbers.of(s));
    }
    take(resources_, resource_colours_, numbers);
  }

  void colour_tasks() {
    Numbering numbers;
    Signature s;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto id = static_cast<TaskId>(i);
      s.clear();
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
      next_.push_back(numbers.of(s));
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

}  // namespace

Partition coarsest_equitable_partition(const TaskGraph& graph, const Network& network) {
  return Refinement(graph, network).refine();
}

}  // namespace vgsim
