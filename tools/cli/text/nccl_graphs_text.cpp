#include "tools/cli/text/nccl_graphs_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/collectives/nccl/words.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

namespace nccl = collectives::nccl;
using nccl::AgreedGraph;
using nccl::Decision;

constexpr std::size_t kMostShown = 4;  ///< different rings, and different trees
constexpr std::size_t kMostNodesDrawn = 8;

void add_graph(const char* name, const AgreedGraph& graph, bool several, text::Table& table) {
  std::vector<std::string> row{std::string("  ") + name, nccl::pattern_text(graph.pattern),
                               fmt::format("{}", graph.channels),
                               fmt::format("{:.4g}", graph.speed_intra),
                               to_string(graph.type_intra)};
  if (several) {
    row.push_back(fmt::format("{:.4g}", graph.speed_inter));
    row.emplace_back(to_string(graph.type_inter));
    row.emplace_back(graph.cross_nic == 0 ? "same" : graph.cross_nic == 1 ? "any" : "in pairs");
  }
  table.add_row(std::move(row));
}

std::string graphs_table(const Decision& decision) {
  const bool several = decision.nodes.size() > 1;
  text::Table table;
  std::vector<std::string> head{"  graph", "pattern", "channels", "GB/s inside", "path"};
  if (several) head.insert(head.end(), {"GB/s to NICs", "path", "NICs in, out"});
  table.add_row(std::move(head));
  add_graph("ring", decision.ring, several, table);
  add_graph("tree", decision.tree, several, table);
  if (decision.nvls) add_graph("NVLS", *decision.nvls, several, table);
  if (decision.collnet_chain) add_graph("CollNet chain", *decision.collnet_chain, several, table);
  if (decision.collnet_direct)
    add_graph("CollNet direct", *decision.collnet_direct, several, table);
  return table.text();
}

/// Channels with equal graphs.
struct Group {
  std::vector<int> key;
  std::vector<int> channels;
};

template <class KeyOf>
std::vector<Group> groups(int channels, const KeyOf& key_of) {
  std::vector<Group> result;
  for (int channel = 0; channel < channels; ++channel) {
    std::vector<int> key = key_of(channel);
    auto same = std::find_if(result.begin(), result.end(),
                             [&](const Group& group) { return group.key == key; });
    if (same == result.end()) same = result.insert(same, {std::move(key), {}});
    same->channels.push_back(channel);
  }
  return result;
}

std::string shown_groups(const char* what, const std::vector<Group>& groups,
                         const std::vector<std::string>& texts) {
  std::string result = fmt::format("\n{}\n", what);
  std::size_t width = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    width = std::max(width, nccl::numbers_text(groups[i].channels).size());
  }
  width = std::min<std::size_t>(width, 24);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string channels = nccl::numbers_text(groups[i].channels);
    result += fmt::format(
        "  {}\n", text::wrap(fmt::format("{:<{}}  {}", channels, width, texts[i]), width + 4));
  }
  if (groups.size() > texts.size()) {
    result += fmt::format("  and {} more, see --format json\n", groups.size() - texts.size());
  }
  return result;
}

/// The ranks in order, with a bar before a change of node.
std::string ring_text(const Decision& decision, const std::vector<int>& order) {
  std::string text;
  int node = -1;
  std::size_t nodes = 0;
  for (const int rank : order) {
    const int at = decision.rank_node[static_cast<std::size_t>(rank)];
    if (at != node && ++nodes > kMostNodesDrawn) {
      return text + fmt::format(" | and {} more nodes", decision.nodes.size() - kMostNodesDrawn);
    }
    text += text.empty() ? "" : node == at ? " " : " | ";
    text += fmt::format("{}", rank);
    node = at;
  }
  return text;
}

/// "0 > 2 > (1, 3)": the subtree below a node.
std::string below(int node, const std::vector<std::vector<int>>& children) {
  const std::vector<int>& own = children[static_cast<std::size_t>(node)];
  std::string text = fmt::format("{}", node);
  if (own.empty()) return text;
  std::string list;
  for (const int child : own) list += (list.empty() ? "" : ", ") + below(child, children);
  return text + (own.size() == 1 ? " > " + list : fmt::format(" > ({})", list));
}

/// The tree of nodes, from the parents of all ranks.
std::string nodes_text(const Decision& decision, const std::vector<int>& parents) {
  std::vector<std::vector<int>> children(decision.nodes.size());
  int root = 0;
  for (std::size_t rank = 0; rank < parents.size(); ++rank) {
    const int node = decision.rank_node[rank];
    if (parents[rank] < 0) {
      root = node;
      continue;
    }
    const int above = decision.rank_node[static_cast<std::size_t>(parents[rank])];
    if (above != node) children[static_cast<std::size_t>(above)].push_back(node);
  }
  if (decision.nodes.size() > kMostNodesDrawn) return fmt::format("node {} is the root", root);
  return "nodes " + below(root, children);
}

/// The chain of ranks inside the first node, from the one connected to its parent.
std::string chain_text(const Decision& decision, const std::vector<int>& parents) {
  std::string text;
  int rank = -1;
  for (std::size_t r = 0; r < parents.size(); ++r) {
    const bool inside =
        parents[r] >= 0 && decision.rank_node[static_cast<std::size_t>(parents[r])] == 0;
    if (decision.rank_node[r] == 0 && !inside) rank = static_cast<int>(r);
  }
  while (rank >= 0) {
    text += fmt::format("{}{}", text.empty() ? "" : " > ", rank);
    int next = -1;
    for (std::size_t r = 0; r < parents.size(); ++r) {
      if (decision.rank_node[r] == 0 && parents[r] == rank) next = static_cast<int>(r);
    }
    rank = next;
  }
  return text;
}

std::string tree_text(const Decision& decision, const std::vector<int>& parents) {
  const std::string chain = chain_text(decision, parents);
  if (decision.nodes.size() == 1) return chain;
  return fmt::format("{}; node 0: {}", nodes_text(decision, parents), chain);
}

std::string rings_text(const Decision& decision) {
  const auto rings =
      groups(decision.channels, [&](int channel) { return decision.ring_order(channel); });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(rings.size(), kMostShown); ++i) {
    texts.push_back(ring_text(decision, rings[i].key));
  }
  return shown_groups("rings, by channel", rings, texts);
}

std::string trees_text(const Decision& decision) {
  const auto trees =
      groups(decision.channels, [&](int channel) { return decision.tree_parents(channel); });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(trees.size(), kMostShown); ++i) {
    texts.push_back(tree_text(decision, trees[i].key));
  }
  return shown_groups("trees, by channel", trees, texts);
}

std::string nvls_text(const Decision& decision) {
  if (!decision.nvls) return {};
  std::vector<int> heads;
  for (std::size_t head = 0; head < decision.nvls_heads; ++head) {
    heads.push_back(decision.nvls_head(0, head));
  }
  return fmt::format("\nNVLS: {}, heads of the first node {}\n",
                     text::plural(static_cast<std::size_t>(decision.nvls_channels), "channel"),
                     nccl::numbers_text(heads));
}

}  // namespace

std::string nccl_graphs_text(const nccl::Outcome& outcome) {
  const Decision& decision = outcome.decision;
  return fmt::format("\nresults of the search; {} channels used\n", decision.channels) +
         graphs_table(decision) + rings_text(decision) + trees_text(decision) + nvls_text(decision);
}

}  // namespace vgsim::cli
