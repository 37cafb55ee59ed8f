#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/export/graph_text.hpp"
#include "topology/export/graph_view.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

/// Fill colours that remain distinguishable in grey and with colour blindness, in the order of
/// ViewKind.
constexpr std::array<const char*, 8> kColours = {"#d9d9d9", "#efefef", "#fff2b3", "#bfe5bf",
                                                 "#bcd9f5", "#e3ccf0", "#f8d5c2", "#ffffff"};

/// The text as content of a quoted string, on one line and limited in length. Backslashes are
/// replaced, because Graphviz interprets them.
std::string quoted_part(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string part;
  for (const char c : text.substr(0, kLongest)) {
    if (c == '"' || c == '\\') part += '\\';
    part += c < ' ' || c > '~' ? '?' : c;
  }
  return text.size() > kLongest ? part + "..." : part;
}

std::string label_of(const ViewNode& node) {
  // The number is on the frame around it.
  std::string label = node.kind == ViewKind::kNumaNode ? "CPU" : quoted_part(node.name);
  for (const std::string* line : {&node.model, &node.bus_id}) {
    if (!line->empty()) label += "\\n" + quoted_part(*line);
  }
  return label;
}

constexpr const char* kLinkColours = "color=\"#7a3fa0\", fontcolor=\"#7a3fa0\"";

/// "NV12"
std::string links_text(const ViewEdge& edge) {
  return fmt::format("{}{}", edge.kind == ViewEdgeKind::kXgmi ? "XGMI x" : "NV", edge.links);
}

std::string node_line(const View& view, std::size_t index) {
  const ViewNode& node = view.nodes[index];
  const char* shape = node.kind == ViewKind::kNvSwitch ? ", shape=octagon" : "";
  return fmt::format("n{} [label=\"{}\", fillcolor=\"{}\"{}];", index, label_of(node),
                     kColours.at(static_cast<std::size_t>(node.kind)), shape);
}

std::string edge_line(const ViewEdge& edge) {
  const std::string ends = fmt::format("  n{} -> n{}", edge.a, edge.b);
  switch (edge.kind) {
    case ViewEdgeKind::kCpus:
      return ends + " [style=dotted, constraint=false];\n";
    case ViewEdgeKind::kNoPcie:
      return ends + " [style=dashed];\n";
    case ViewEdgeKind::kPcie:
      return edge.width ? fmt::format("{} [label=\"{}\"];\n", ends, to_text(*edge.width))
                        : ends + ";\n";
    case ViewEdgeKind::kNvLink:
    case ViewEdgeKind::kXgmi:
      break;
  }
  return fmt::format("{} [label=\"{}\", {}];\n", ends, links_text(edge), kLinkColours);
}

bool is_between_gpus(const View& view, const ViewEdge& edge) {
  const bool is_link = edge.kind == ViewEdgeKind::kNvLink || edge.kind == ViewEdgeKind::kXgmi;
  return is_link && view.nodes[edge.a].kind == ViewKind::kGpu &&
         view.nodes[edge.b].kind == ViewKind::kGpu;
}

/// Whether the edges form a full mesh of at least three GPUs with equal numbers of links.
bool is_full_mesh(const std::vector<const ViewEdge*>& edges, const std::set<std::size_t>& gpus) {
  return gpus.size() >= 3 && edges.size() == gpus.size() * (gpus.size() - 1) / 2 &&
         std::ranges::all_of(edges, [&](const ViewEdge* edge) {
           return edge->links == edges.front()->links && edge->kind == edges.front()->kind;
         });
}

/// Draws links between GPUs through separate nodes on the right, because Graphviz has no space for
/// edges between vertically aligned nodes. A full mesh has one such node.
std::string gpu_links(const View& view) {
  std::vector<const ViewEdge*> edges;
  std::set<std::size_t> gpus;
  for (const ViewEdge& edge : view.edges) {
    if (!is_between_gpus(view, edge)) continue;
    edges.push_back(&edge);
    gpus.insert({edge.a, edge.b});
  }
  const auto joint = [](std::size_t number, const std::string& label) {
    return fmt::format(
        "  l{} [label=\"{}\", shape=plaintext, style=\"\", fontsize=8, "
        "fontcolor=\"#7a3fa0\", height=0.15, margin=0.02];\n",
        number, label);
  };
  std::string text;
  if (is_full_mesh(edges, gpus)) {
    text += joint(0, fmt::format("each with each\\n{}", links_text(*edges.front())));
    for (const std::size_t gpu : gpus) {
      text += fmt::format("  n{} -> l0 [{}];\n", gpu, kLinkColours);
    }
    return text;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    text += joint(i, links_text(*edges[i]));
    text += fmt::format("  n{} -> l{} [{}];\n", edges[i]->a, i, kLinkColours);
    text += fmt::format("  n{} -> l{} [{}];\n", edges[i]->b, i, kLinkColours);
  }
  return text;
}

/// Nodes by frame.
///
/// Graphviz groups the nodes of a cluster: each NUMA node is a cluster, and the nodes of a socket
/// with several are in a cluster around them, so that the picture shows which devices share a root
/// complex, a node and a socket.
class Frames {
 public:
  Frames(const Inventory& host, const View& view) : host_(host), view_(view) {
    for (std::size_t i = 0; i < view.nodes.size(); ++i) {
      const auto& node = view.nodes[i];
      if (node.numa_node) {
        by_numa_node_[*node.numa_node].push_back(i);
      } else {
        (node.is_device ? unplaced_ : loose_).push_back(i);
      }
    }
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const auto& [package, nodes] : packages()) {
      // A single NUMA node is the whole socket.
      if (nodes.size() == 1 || package.empty()) {
        for (const std::size_t node : nodes) text += numa_node(node, "  ", package);
        continue;
      }
      text += fmt::format("  subgraph \"cluster_{0}\" {{\n    label=\"{0}\";\n", package);
      for (const std::size_t node : nodes) text += numa_node(node, "    ", "");
      text += "  }\n";
    }
    if (!unplaced_.empty()) {
      text += "  subgraph \"cluster_unplaced\" {\n    label=\"place unknown\"; style=dashed;\n";
      text += lines(unplaced_, "    ") + "  }\n";
    }
    return text + lines(loose_, "  ");
  }

 private:
  /// NUMA nodes by socket, in the order of the first node; nodes of unknown sockets are separate.
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<std::size_t>>> packages() const {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> packages;
    for (std::size_t n = 0; n < host_.numa_nodes.size(); ++n) {
      const auto& package = host_.numa_nodes[n].package;
      const std::string name = package ? fmt::format("socket {}", package->value) : std::string();
      const auto known = std::ranges::find_if(
          packages, [&](const auto& other) { return !name.empty() && other.first == name; });
      if (known != packages.end()) {
        known->second.push_back(n);
      } else {
        packages.push_back({name, {n}});
      }
    }
    return packages;
  }

  [[nodiscard]] std::string numa_node(std::size_t index, const std::string& indent,
                                      const std::string& package) const {
    const NumaNode& node = host_.numa_nodes[index];
    const std::string number = node.id ? fmt::format("NUMA node {}", node.id->value)
                                       : std::string("NUMA node of unknown number");
    const std::string label = package.empty() ? number : fmt::format("{}, {}", package, number);
    const auto nodes = by_numa_node_.find(index);
    return fmt::format("{0}subgraph \"cluster_numa{1}\" {{\n{0}  label=\"{2}\";\n{3}{0}}}\n",
                       indent, index, label, lines(nodes->second, indent + "  "));
  }

  [[nodiscard]] std::string lines(const std::vector<std::size_t>& nodes,
                                  const std::string& indent) const {
    std::string text;
    for (const std::size_t node : nodes) text += indent + node_line(view_, node) + '\n';
    return text;
  }

  const Inventory& host_;
  const View& view_;
  std::map<std::size_t, std::vector<std::size_t>> by_numa_node_;
  std::vector<std::size_t> unplaced_;
  std::vector<std::size_t> loose_;  ///< NVSwitches without a place
};

std::string title_of(const Inventory& host) {
  std::string machine;
  for (const auto* part : {&host.vendor, &host.model}) {
    if (*part) machine += (machine.empty() ? "" : " ") + (*part)->value;
  }
  const std::string name = host.name ? host.name->value : std::string();
  if (name.empty() || name == machine) return quoted_part(machine);
  return machine.empty() ? quoted_part(name)
                         : fmt::format("{}, {}", quoted_part(name), quoted_part(machine));
}

}  // namespace

std::string to_dot(const Inventory& host) {
  const View view = with_nvswitches_merged(view_of(host));
  std::string text = "digraph host {\n";
  text += fmt::format("  label=\"{}\"; labelloc=t; fontname=\"sans-serif\"; rankdir=LR;\n",
                      title_of(host));
  text += "  nodesep=0.12; ranksep=0.9; style=\"rounded\"; color=\"#888888\";\n";
  text += "  node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=10, height=0.3];\n";
  text += "  edge [dir=none, fontname=\"sans-serif\", fontsize=8];\n";
  text += Frames(host, view).text();
  for (const ViewEdge& edge : view.edges) {
    if (!is_between_gpus(view, edge)) text += edge_line(edge);
  }
  return text + gpu_links(view) + "}\n";
}

}  // namespace vgsim::topology::inventory
