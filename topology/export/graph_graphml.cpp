#include <fmt/core.h>

#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "topology/export/graph_text.hpp"
#include "topology/export/graph_view.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

/// An attribute of nodes or edges. Names are unique per domain, ids globally.
struct Key {
  const char* id;
  const char* domain;
  const char* name;
  const char* type;
};

constexpr std::array<Key, 9> kKeys = {{
    {"kind", "node", "kind", "string"},
    {"name", "node", "name", "string"},
    {"bus_id", "node", "bus_id", "string"},
    {"model", "node", "model", "string"},
    {"numa", "node", "numa", "long"},
    {"edge_kind", "edge", "kind", "string"},
    {"link", "edge", "link", "string"},
    {"links", "edge", "links", "long"},
    {"bandwidth", "edge", "bandwidth", "double"},
}};

void put(pugi::xml_node& element, const char* key, const std::string& value) {
  if (value.empty()) return;
  pugi::xml_node data = element.append_child("data");
  data.append_attribute("key") = key;
  data.text() = value.c_str();
}

const char* to_word(ViewEdgeKind kind) {
  switch (kind) {
    case ViewEdgeKind::kPcie:
      return "pcie";
    case ViewEdgeKind::kNvLink:
      return "nvlink";
    case ViewEdgeKind::kXgmi:
      return "xgmi";
    case ViewEdgeKind::kNoPcie:
    case ViewEdgeKind::kCpus:
      break;
  }
  return "cpu";
}

void add_node(pugi::xml_node& graph, const Inventory& host, const ViewNode& node,
              std::size_t index) {
  pugi::xml_node element = graph.append_child("node");
  element.append_attribute("id") = fmt::format("n{}", index).c_str();
  put(element, "kind", to_word(node.kind));
  put(element, "name", node.name);
  put(element, "bus_id", node.bus_id);
  put(element, "model", node.model);
  if (!node.numa_node) return;
  const auto& id = host.numa_nodes[*node.numa_node].id;
  if (id) put(element, "numa", std::to_string(id->value));
}

void add_edge(pugi::xml_node& graph, const ViewEdge& edge) {
  pugi::xml_node element = graph.append_child("edge");
  element.append_attribute("source") = fmt::format("n{}", edge.a).c_str();
  element.append_attribute("target") = fmt::format("n{}", edge.b).c_str();
  put(element, "edge_kind", to_word(edge.kind));
  if (edge.width) put(element, "link", to_text(*edge.width));
  if (edge.links > 0) put(element, "links", std::to_string(edge.links));
  if (edge.gigabytes_per_second) {
    put(element, "bandwidth", fmt::format("{:.6g}", *edge.gigabytes_per_second));
  }
}

}  // namespace

std::string to_graphml(const Inventory& host) {
  const View view = view_of(host);
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("graphml");
  root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
  root.append_attribute("xmlns:xsi") = "http://www.w3.org/2001/XMLSchema-instance";
  root.append_attribute("xsi:schemaLocation") =
      "http://graphml.graphdrawing.org/xmlns "
      "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd";
  for (const Key& key : kKeys) {
    pugi::xml_node element = root.append_child("key");
    element.append_attribute("id") = key.id;
    element.append_attribute("for") = key.domain;
    element.append_attribute("attr.name") = key.name;
    element.append_attribute("attr.type") = key.type;
  }
  pugi::xml_node graph = root.append_child("graph");
  graph.append_attribute("id") = "host";
  graph.append_attribute("edgedefault") = "undirected";
  for (std::size_t i = 0; i < view.nodes.size(); ++i) add_node(graph, host, view.nodes[i], i);
  for (const ViewEdge& edge : view.edges) add_edge(graph, edge);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace vgsim::topology::inventory
