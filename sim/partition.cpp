#include "sim/partition.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "sim/ratio.hpp"

namespace vgsim {
namespace {

using Word = std::uint64_t;
using Signature = std::vector<Word>;

/// Maps equal signatures to equal numbers, in order of first use: a hash table with open
/// addressing. Signatures are compared word for word, so the numbers do not depend on the hash. All
/// words are concatenated in one array, because there are as many signatures as tasks and most are
/// short.
class SignatureInterner {
 public:
  std::uint32_t of(const Signature& signature) {
    if (2 * (ends_.size() + 1) > slots_.size()) grow();
    std::size_t slot = hash_of(signature) & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      if (equals(slots_[slot], signature)) return slots_[slot];
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

  [[nodiscard]] bool equals(std::uint32_t number, const Signature& signature) const {
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

  std::vector<std::uint32_t>
      slots_;  ///< numbers, at their hash or after it; the size is a power of two
  std::vector<std::size_t> ends_;  ///< by number: end of its words
  std::vector<Word> words_;
};

/// Maps equal exact values to equal numbers.
class ValueInterner {
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

/// Colour refinement of a graph with labelled edges. Its elements are the tasks, then the routes,
/// then the resources. Each edge is stored at both ends.
class Refinement {
 public:
  Refinement(const TaskGraph& graph, const Network& network)
      : graph_(graph),
        network_(network),
        routes_(graph.size()),
        resources_(routes_ + network.routes.size()),
        offsets_(resources_ + network.resources.size() + 1, 0) {
    for_each_edge([&](std::size_t a, std::size_t b, Word, Word) {
      ++offsets_[a];
      ++offsets_[b];
    });
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    edges_.resize(offsets_.back());
    for_each_edge([&](std::size_t a, std::size_t b, Word from_a, Word from_b) {
      edges_[--offsets_[a]] = {static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(from_a)};
      edges_[--offsets_[b]] = {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(from_b)};
    });
  }

  Partition refine(const InitialColours& own) && {
    set_initial_colours(own);
    std::vector<std::uint32_t> touched(colours_.size());
    std::iota(touched.begin(), touched.end(), 0U);
    while (!touched.empty()) touched = neighbours(recolour(touched));
    return partition();
  }

 private:
  struct LabelledEdge {
    std::uint32_t other = 0;
    std::uint32_t label = 0;
  };
  /// The label of an edge between tasks is lag * kLag plus flags.
  static constexpr std::uint32_t kWaits = 1;  ///< at the task that waits
  static constexpr std::uint32_t kFeeds = 2;
  static constexpr std::uint32_t kFlow = 4;  ///< between a task and the route of its flow
  static constexpr std::uint32_t kLag = 8;

  /// Calls `add` for each edge with both elements and the label at each end.
  template <class Add>
  void for_each_edge(const Add& add) {
    for (const Edge& edge : graph_.edges()) {
      const Word label = edge.lag * kLag + (edge.feeds ? kFeeds : 0);
      add(index(edge.before), index(edge.after), label, label + kWaits);
    }
    std::vector<bool> used(network_.routes.size(), false);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const FlowWork* flow = graph_.flow(static_cast<TaskId>(i));
      if (flow == nullptr) continue;
      const auto route = static_cast<std::size_t>(flow->route);
      used[route] = true;
      add(i, routes_ + route, kFlow, kFlow);
    }
    for (std::uint32_t r = 0; r < used.size(); ++r) {
      if (!used[r]) continue;
      for (const Crossing& c : network_.routes.crossings(RouteId{r})) {
        // Coefficients are replaced by their numbers, which fit in 32 bits.
        const Word label =
            coefficients_.try_emplace(c.coefficient, coefficients_.size()).first->second;
        add(routes_ + r, resources_ + static_cast<std::size_t>(c.resource), label, label);
      }
    }
  }

  [[nodiscard]] std::span<const LabelledEdge> edges_of(std::size_t element) const {
    return std::span(edges_).subspan(offsets_[element], offsets_[element + 1] - offsets_[element]);
  }

  /// The depth of each task below the tasks without dependencies. As part of the first colours it
  /// saves as many rounds of refinement.
  [[nodiscard]] std::vector<Word> depths() const {
    std::vector<Word> depth(graph_.size(), 0);
    std::vector<std::uint32_t> waiting(graph_.size(), 0);
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < waiting.size(); ++i) {
      for (const LabelledEdge& edge : edges_of(i)) {
        if ((edge.label & ~kFeeds) == kWaits) ++waiting[i];
      }
      if (waiting[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      const std::uint32_t task = ready.back();
      ready.pop_back();
      for (const LabelledEdge& edge : edges_of(task)) {
        if ((edge.label & ~kFeeds) != 0) continue;
        depth[edge.other] = std::max(depth[edge.other], depth[task] + 1);
        if (--waiting[edge.other] == 0) ready.push_back(edge.other);
      }
    }
    return depth;
  }

  /// Initial colours and depths. Tasks, routes and resources have no colour in common.
  void set_initial_colours(const InitialColours& own) {
    const std::vector<Word> depth = depths();
    SignatureInterner tasks;
    Signature s;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      s = {own.of_task[i], depth[i]};
      colours_.push_back(tasks.of(s));
    }
    colours_.resize(resources_, tasks.size());
    std::uint32_t most = 0;
    for (const std::uint32_t colour : own.of_resource) {
      colours_.push_back(tasks.size() + 1 + colour);
      most = std::max(most, colour + 1);
    }
    members_.resize(tasks.size() + 1 + most, 0);
    for (const std::uint32_t colour : colours_) ++members_[colour];
  }

  /// The colours and labels of the neighbours of an element, in canonical order. Elements with many
  /// edges, such as routes across all hosts, get each word with its count.
  void neighbour_signature(std::uint32_t element, Signature& seen) {
    constexpr std::size_t kMany = 4096;
    const auto edges = edges_of(element);
    seen.clear();
    for (const LabelledEdge& edge : edges) {
      seen.push_back(Word{colours_[edge.other]} << 32 | edge.label);
    }
    if (edges.size() < kMany) {
      std::sort(seen.begin(), seen.end());
      return;
    }
    counts_.clear();
    for (const Word word : seen) ++counts_[word];
    seen.assign(1, static_cast<Word>(-1));  // not a word of an edge
    for (const auto& [word, count] : counts_) seen.insert(seen.end(), {word, count});
  }

  /// One round of refinement: splits elements of one colour whose neighbour signatures differ.
  /// `touched` must contain all neighbours of elements with a new colour. Elements outside keep
  /// their colour; if a colour has none outside, its first group in `touched` keeps it. Returns the
  /// elements that got a new colour.
  std::vector<std::uint32_t> recolour(const std::vector<std::uint32_t>& touched) {
    SignatureInterner kinds;
    std::vector<std::uint32_t> kind_of;
    Signature s;
    for (const std::uint32_t element : touched) {
      neighbour_signature(element, s);
      s.push_back(colours_[element]);
      kind_of.push_back(kinds.of(s));
    }
    for (const std::uint32_t element : touched) --members_[colours_[element]];
    std::vector<std::uint32_t> colour_of;  // by kind
    std::vector<std::uint32_t> changed;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      std::uint32_t& colour = colours_[touched[i]];
      if (kind_of[i] == colour_of.size()) {
        colour_of.push_back(members_[colour] == 0 ? colour
                                                  : static_cast<std::uint32_t>(members_.size()));
        if (colour_of.back() == members_.size()) members_.push_back(0);
      }
      ++members_[colour_of[kind_of[i]]];
      if (colour == colour_of[kind_of[i]]) continue;
      colour = colour_of[kind_of[i]];
      changed.push_back(touched[i]);
    }
    return changed;
  }

  /// The neighbours of the elements, each once, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> neighbours(const std::vector<std::uint32_t>& elements) {
    constexpr std::size_t kMany = 8;  // above one in kMany elements, a scan is faster than sorting
    std::vector<std::uint32_t> found;
    found_.resize(colours_.size(), false);
    for (const std::uint32_t element : elements) {
      for (const LabelledEdge& edge : edges_of(element)) {
        if (found_[edge.other]) continue;
        found_[edge.other] = true;
        found.push_back(edge.other);
      }
    }
    if (found.size() * kMany < found_.size()) {
      std::sort(found.begin(), found.end());
      for (const std::uint32_t element : found) found_[element] = false;
      return found;
    }
    found.clear();
    for (std::uint32_t element = 0; element < found_.size(); ++element) {
      if (found_[element]) found.push_back(element);
    }
    found_.assign(found_.size(), false);
    return found;
  }

  /// Numbers the colours as classes. Classes of resources are numbered in the order in which the
  /// flows of the lowest tasks cross them, so that the lowest of several bottlenecks of such a flow
  /// is in the lowest class.
  [[nodiscard]] Partition partition() const {
    constexpr auto kUnnumbered = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> number(members_.size(), kUnnumbered);
    Partition result;
    const auto number_of = [&](std::size_t element, std::uint32_t& next) {
      std::uint32_t& known = number[colours_[element]];
      if (known == kUnnumbered) known = next++;
      return known;
    };
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const std::uint32_t before = result.task_classes;
      result.task_class.push_back(number_of(i, result.task_classes));
      const FlowWork* flow = graph_.flow(static_cast<TaskId>(i));
      if (flow == nullptr || result.task_classes == before) continue;
      for (const Crossing& c : network_.routes.crossings(flow->route)) {
        number_of(resources_ + static_cast<std::size_t>(c.resource), result.resource_classes);
      }
    }
    for (std::size_t r = resources_; r < colours_.size(); ++r) {
      result.resource_class.push_back(number_of(r, result.resource_classes));
    }
    return result;
  }

  const TaskGraph& graph_;
  const Network& network_;
  std::size_t routes_;                ///< index of the first route among the elements
  std::size_t resources_;             ///< index of the first resource among the elements
  std::vector<std::size_t> offsets_;  ///< by element: start of its edges
  std::vector<LabelledEdge> edges_;
  std::vector<std::uint32_t> colours_;  ///< by element
  std::vector<std::uint32_t> members_;  ///< by colour: number of elements
  std::vector<bool> found_;             ///< scratch of neighbours()
  std::map<std::int64_t, Word> coefficients_;
  std::map<Word, Word> counts_;  ///< scratch of neighbour_signature()
};

}  // namespace

InitialColours::InitialColours(const TaskGraph& graph, const Network& network) {
  ValueInterner values;
  SignatureInterner tasks;
  Signature s;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    s = {static_cast<Word>(graph.delay(id).count()), graph.category(id), graph.rounds(id),
         static_cast<Word>(graph.latency(id).count())};
    if (const FlowWork* flow = graph.flow(id)) {
      s.push_back(values.of(flow->amount));
      s.push_back(static_cast<Word>(flow->weight));
      if (flow->rate_cap) s.push_back(values.of(*flow->rate_cap));
    }
    of_task.push_back(tasks.of(s));
  }
  std::map<std::size_t, Signature> changes;  // by resource
  for (const CapacityChange& change : network.capacity_changes) {
    Signature& own = changes[static_cast<std::size_t>(change.resource)];
    own.push_back(static_cast<Word>(change.at.count()));
    own.push_back(values.of(change.capacity_per_second));
  }
  SignatureInterner resources;
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    s = {values.of(network.resources.capacity(static_cast<ResourceId>(r)))};
    const auto own = changes.find(r);
    if (own != changes.end()) s.insert(s.end(), own->second.begin(), own->second.end());
    of_resource.push_back(resources.of(s));
  }
}

/// A round re-examines only neighbours of elements whose colour changed: a difference that
/// propagates along a chain of tasks costs the length of the chain.
Partition coarsest_equitable_partition(const TaskGraph& graph, const Network& network,
                                       const InitialColours& own) {
  return Refinement(graph, network).refine(own);
}

}  // namespace vgsim
