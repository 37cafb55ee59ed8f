#include "models/collectives/nccl/decision.hpp"

// Equal machines get equal decisions. Each kind of machine is split into NCCL nodes, and its nodes
// are searched. The search dominates the run time, so its results are cached: draws, layouts and
// tried changes need the same machines repeatedly, and different settings can lead to the same
// search. Nodes agree on the worst result of each.

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>

#include "models/collectives/nccl/search/chosen_graphs.hpp"
#include "models/collectives/nccl/search/double_tree.hpp"
#include "sim/lru_cache.hpp"

namespace vgsim::collectives::nccl {
namespace {

/// Upper limit of cached machines: more than one job or the changes to it have.
constexpr std::size_t kCachedMachines = 64;

std::vector<int> ranks_of(const Connected& connected, const std::vector<std::size_t>& gpus) {
  std::vector<int> ranks;
  for (const std::size_t gpu : gpus) ranks.push_back(connected.graph.gpus[gpu].rank);
  return ranks;
}

/// The inputs that determine a machine's nodes.
struct MachineKey {
  Machine machine;
  Settings settings;
  Constants constants;
  bool inter = false;  ///< for their search: there are other nodes

  bool operator==(const MachineKey&) const = default;
};

/// A machine's NCCL nodes, by the ranks of each.
struct Split {
  std::vector<std::vector<int>> nodes;
  int ranks = 0;
};

Split split_of(const MachineKey& given) {
  const Rules rules = rules_of(given.constants.version);
  const Connected whole =
      connect(build_graph(given.machine, {}, true, rules, given.constants), rules, given.settings);
  Split split;
  split.ranks = static_cast<int>(whole.graph.gpus.size());
  if (split.ranks == 0) throw std::invalid_argument("a machine without a GPU that is a rank");
  std::vector<bool> seen(whole.graph.gpus.size(), false);
  for (const GraphGpu& gpu : whole.graph.gpus) {
    if (gpu.rank < 0 || gpu.rank >= split.ranks || seen[static_cast<std::size_t>(gpu.rank)]) {
      throw std::invalid_argument("the ranks of a machine are not 0, 1, 2, ...");
    }
    seen[static_cast<std::size_t>(gpu.rank)] = true;
  }
  for (const auto& gpus : domains(whole)) split.nodes.push_back(ranks_of(whole, gpus));
  std::sort(split.nodes.begin(), split.nodes.end(), [](const auto& a, const auto& b) {
    return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
  });
  return split;
}

/// The inputs of a node's search.
struct SearchKey {
  Connected node;
  bool inter = false;
  Constants constants;
  Settings settings;  ///< those that a search uses, see used_by_search()

  bool operator==(const SearchKey&) const = default;
};

/// The settings that a search uses, with NCCL's defaults for unset ones.
Settings used_by_search(const Settings& settings) {
  Settings asked;
  asked.cross_nic = settings.cross_nic.value_or(2);
  asked.collnet_enable = settings.collnet_enable.value_or(false);
  asked.nvls_enable = settings.nvls_enable.value_or(2) != 0 ? 1 : 0;
  return asked;
}

/// Cached search_node().
std::shared_ptr<const NodeGraphs> cached_graphs(const SearchKey& key) {
  static LruCache<SearchKey, NodeGraphs> known(kCachedMachines);
  return known.get(key, [](const SearchKey& of) {
    return search_node(of.node, of.inter, rules_of(of.constants.version), of.constants,
                       of.settings);
  });
}

NodeKind kind_of(const MachineKey& given, const std::vector<int>& ranks) {
  const auto& [machine, settings, constants, inter] = given;
  const Rules rules = rules_of(constants.version);
  NodeKind kind;
  kind.connected =
      connect(build_graph(machine, ranks, inter || rules.nets_stay_inside, rules, constants), rules,
              settings);
  if (inter && kind.connected.graph.nets.empty()) {
    throw std::invalid_argument("several nodes, but a host without a network device");
  }
  for (const GraphGpu& gpu : kind.connected.graph.gpus) kind.ranks.push_back(gpu.rank);
  kind.graphs = *cached_graphs({kind.connected, inter, constants, used_by_search(settings)});
  use_chosen_graphs(settings.graphs, kind.connected, kind.graphs);
  return kind;
}

/// Cached split_of(); independent of `inter`.
std::shared_ptr<const Split> cached_split(const MachineKey& given) {
  static LruCache<MachineKey, Split> known(kCachedMachines);
  return known.get(given, split_of);
}

/// Cached kind_of() for each of the machine's nodes.
std::shared_ptr<const std::vector<NodeKind>> cached_kinds(const MachineKey& given,
                                                          const Split& split) {
  static LruCache<MachineKey, std::vector<NodeKind>> known(kCachedMachines);
  return known.get(given, [&](const MachineKey&) {
    std::vector<NodeKind> kinds;
    for (const std::vector<int>& ranks : split.nodes) kinds.push_back(kind_of(given, ranks));
    return kinds;
  });
}

bool all_have_collnet(std::span<const Machine> machines, std::span<const std::size_t> hosts) {
  return std::all_of(hosts.begin(), hosts.end(),
                     [&](std::size_t host) { return machines[host].collnet_plugin; });
}

void agree(AgreedGraph& agreed, const SearchResult& found, bool is_first, bool by_maximum) {
  const auto channels = static_cast<int>(found.channels.size());
  if (is_first) {
    agreed = {channels,          found.same_channels, found.speed_intra,
              found.speed_inter, found.type_intra,    found.type_inter,
              found.cross_nic,   found.latency_inter, found.pattern};
    return;
  }
  const auto worse = [&](PathType a, PathType b) {
    return by_maximum ? std::max(a, b) : std::min(a, b);
  };
  agreed.channels = std::min(agreed.channels, channels);
  agreed.same_channels = agreed.same_channels && found.same_channels;
  agreed.speed_intra = std::min(agreed.speed_intra, found.speed_intra);
  agreed.speed_inter = std::min(agreed.speed_inter, found.speed_inter);
  agreed.type_intra = worse(agreed.type_intra, found.type_intra);
  agreed.type_inter = worse(agreed.type_inter, found.type_inter);
  agreed.cross_nic = std::max(agreed.cross_nic, found.cross_nic);
  agreed.latency_inter = std::max(agreed.latency_inter, found.latency_inter);
}

/// A graph that exists only if all nodes found one.
std::optional<AgreedGraph> agree_all(const std::vector<NodeKind>& kinds,
                                     std::optional<SearchResult> NodeGraphs::*which,
                                     bool by_maximum) {
  AgreedGraph agreed;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::optional<SearchResult>& found = kinds[i].graphs.*which;
    if (!found) return std::nullopt;
    agree(agreed, *found, i == 0, by_maximum);
  }
  return agreed;
}

void agree_graphs(Decision& decision, const Rules& rules) {
  const bool by_maximum = rules.types_by_maximum;
  for (std::size_t i = 0; i < decision.kinds.size(); ++i) {
    agree(decision.ring, decision.kinds[i].graphs.ring, i == 0, by_maximum);
    agree(decision.tree, decision.kinds[i].graphs.tree, i == 0, by_maximum);
  }
  decision.collnet_chain = agree_all(decision.kinds, &NodeGraphs::collnet_chain, by_maximum);
  decision.collnet_direct = agree_all(decision.kinds, &NodeGraphs::collnet_direct, by_maximum);
  decision.nvls = agree_all(decision.kinds, &NodeGraphs::nvls, by_maximum);
  decision.search_channels = std::min(decision.ring.channels, decision.tree.channels);
}

/// Computes the final number of channels and the original of each copy.
class ChannelCount {
 public:
  explicit ChannelCount(int search_channels, int most) : most_(most) {
    for (int c = 0; c < std::min(2 * search_channels, most); ++c) origin_.push_back(c);
  }

  [[nodiscard]] int count() const { return static_cast<int>(origin_.size()); }
  void cut(int limit) {
    if (count() > limit) origin_.resize(static_cast<std::size_t>(limit));
  }
  /// Repeats the first channels until there are `wanted`.
  void grow(int wanted) {
    const auto copied = origin_.size();
    for (std::size_t c = copied; c < static_cast<std::size_t>(std::min(wanted, most_)); ++c) {
      origin_.push_back(origin_[c - copied]);
    }
  }
  [[nodiscard]] const std::vector<int>& origin() const { return origin_; }

 private:
  int most_;
  std::vector<int> origin_;
};

void count_channels(Decision& decision, const Rules& rules, const Settings& settings,
                    const Constants& constants, int min_sm) {
  ChannelCount channels(decision.search_channels, constants.max_channels);
  const bool several = decision.nodes.size() > 1;
  const bool one_each = decision.nodes.size() == decision.rank_node.size();
  if (decision.collnet_chain && several && !one_each &&
      decision.collnet_chain->speed_intra > decision.collnet_chain->speed_inter) {
    channels.grow(channels.count() + channels.count() / 2);
  }
  if (rules.quadruple_sm90 && min_sm >= 90 && several && decision.ring.speed_intra > 45.0 &&
      channels.count() < 16) {
    channels.grow(2 * channels.count());
  }
  const int most =
      std::clamp(settings.max_channels.value_or(constants.max_channels), 1, constants.max_channels);
  channels.cut(std::min(most, settings.max_ctas.value_or(constants.max_channels)));
  channels.grow(std::max(settings.min_channels.value_or(0), settings.min_ctas.value_or(1)));
  if (rules.channels_cover_nvls) channels.grow(decision.nvls_channels);
  decision.channels = channels.count();
  decision.origin = channels.origin();
}

void count_nvls(Decision& decision, const Rules& rules, const Settings& settings, int min_sm) {
  if (!decision.nvls) return;
  decision.nvls_heads = std::numeric_limits<std::size_t>::max();
  for (const NodeKind& kind : decision.kinds) {
    std::vector<std::size_t> heads;
    for (const SearchChannel& channel : kind.graphs.nvls->channels) {
      if (std::find(heads.begin(), heads.end(), channel.gpus[0]) == heads.end()) {
        heads.push_back(channel.gpus[0]);
      }
    }
    decision.nvls_heads = std::min(decision.nvls_heads, heads.size());
  }
  const bool several = decision.nodes.size() > 1;
  int channels = rules.nvls_channels;
  if (min_sm >= 107) {
    channels = several ? rules.nvls_channels_sm107_inter : rules.nvls_channels_sm107;
  } else if (min_sm >= 100) {
    channels = several ? rules.nvls_channels_sm100_inter : rules.nvls_channels_sm100;
  }
  channels = std::min(channels, settings.max_ctas.value_or(channels));
  decision.nvls_channels = std::max(channels, settings.min_ctas.value_or(1));
}

}  // namespace

std::vector<int> Decision::ring_order(int channel) const {
  std::vector<int> order;
  const int searched = origin.at(static_cast<std::size_t>(channel)) % search_channels;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const NodeKind& kind = kinds[nodes[n].kind];
    const int cross_nic = swaps_rails_by_node ? kind.graphs.ring.cross_nic : ring.cross_nic;
    const bool swapped = cross_nic == 2 && search_channels % 2 == 0 && n % 2 == 1;
    const auto own = static_cast<std::size_t>(swapped ? searched ^ 1 : searched);
    for (const std::size_t gpu : kind.graphs.ring.channels[own].gpus) {
      order.push_back(nodes[n].first_rank + kind.ranks[gpu]);
    }
  }
  return order;
}

Decision::TreeChannel Decision::tree_channel(int channel) const {
  const int copy = origin.at(static_cast<std::size_t>(channel));
  return {static_cast<std::size_t>(copy / search_channels),
          static_cast<std::size_t>(copy % search_channels)};
}

int Decision::tree_rank(std::size_t node, const TreeChannel& channel, std::size_t place) const {
  const NodeKind& kind = kinds[nodes[node].kind];
  return nodes[node].first_rank +
         kind.ranks[kind.graphs.tree.channels[channel.searched].gpus[place]];
}

std::size_t Decision::tree_place_at(std::size_t parent, const TreePlace& child) const {
  const NodeKind& kind = kinds[nodes[parent].kind];
  const Pattern pattern = kind.graphs.tree.pattern;
  const bool second = pattern == Pattern::kSplitTree ||
                      (pattern == Pattern::kBalancedTree && child.child_of_parent == 0);
  return second && kind.ranks.size() > 1 ? 1 : 0;
}

std::vector<int> Decision::tree_parents(int channel) const {
  std::vector<int> parents(rank_node.size(), -1);
  const TreeChannel found = tree_channel(channel);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t i = 1; i < kinds[nodes[n].kind].ranks.size(); ++i) {
      parents[static_cast<std::size_t>(tree_rank(n, found, i))] = tree_rank(n, found, i - 1);
    }
    const TreePlace place = tree_place(static_cast<int>(nodes.size()), static_cast<int>(n),
                                       static_cast<int>(found.tree));
    if (place.parent < 0) continue;
    const auto up = static_cast<std::size_t>(place.parent);
    parents[static_cast<std::size_t>(tree_rank(n, found, 0))] =
        tree_rank(up, found, tree_place_at(up, place));
  }
  return parents;
}

int Decision::nvls_head(std::size_t node, std::size_t head) const {
  const NodeKind& kind = kinds[nodes[node].kind];
  std::vector<std::size_t> heads;
  for (const SearchChannel& channel : kind.graphs.nvls->channels) {
    if (std::find(heads.begin(), heads.end(), channel.gpus[0]) == heads.end()) {
      heads.push_back(channel.gpus[0]);
    }
  }
  return nodes[node].first_rank + kind.ranks[heads.at(head)];
}

Decision decide(std::span<const Machine> machines, std::span<const std::size_t> hosts,
                const Settings& settings, const Constants& constants) {
  const Rules rules = rules_of(constants.version);
  Settings used = settings;
  if (!all_have_collnet(machines, hosts)) used.collnet_enable = false;
  std::map<std::size_t, MachineKey> given;
  std::map<std::size_t, std::shared_ptr<const Split>> splits;
  int ranks = 0;
  std::size_t nodes = 0;
  for (const std::size_t host : hosts) {
    const auto [split, is_new] = splits.try_emplace(host);
    if (is_new) {
      given[host] = {machines[host], used, constants, false};
      split->second = cached_split(given[host]);
    }
    ranks += split->second->ranks;
    nodes += split->second->nodes.size();
  }
  Decision decision;
  decision.swaps_rails_by_node = constants.version >= Version{2, 28, 0};
  std::map<std::size_t, std::size_t> first_kind;
  for (const auto& [machine, split] : splits) {
    first_kind[machine] = decision.kinds.size();
    given[machine].inter = nodes > 1;
    const auto kinds = cached_kinds(given[machine], *split);
    for (const NodeKind& kind : *kinds) {
      decision.kinds.push_back(kind);
      decision.kinds.back().machine = machine;
    }
  }
  int first_rank = 0;
  decision.rank_node.resize(static_cast<std::size_t>(ranks));
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    const Split& split = *splits.at(hosts[host]);
    for (std::size_t i = 0; i < split.nodes.size(); ++i) {
      for (const int rank : split.nodes[i]) {
        decision.rank_node[static_cast<std::size_t>(first_rank + rank)] =
            static_cast<int>(decision.nodes.size());
      }
      decision.nodes.push_back({host, first_kind.at(hosts[host]) + i, first_rank});
    }
    first_rank += split.ranks;
  }
  int min_sm = std::numeric_limits<int>::max();
  for (const NodeKind& kind : decision.kinds) {
    min_sm = std::min(min_sm, kind.connected.graph.min_sm());
  }
  agree_graphs(decision, rules);
  count_nvls(decision, rules, used, min_sm);
  count_channels(decision, rules, used, constants, min_sm);
  return decision;
}

}  // namespace vgsim::collectives::nccl
