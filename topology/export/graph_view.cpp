#include "topology/export/graph_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "topology/graph/pcie_speed.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/pci_class.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology::inventory {
namespace {

struct KindOfView {
  ViewKind kind;
  const char* word;
  std::optional<DeviceKind> device;
};

constexpr std::array<KindOfView, 8> kKindsOfView = {{
    {ViewKind::kNumaNode, "numa-node", {}},
    {ViewKind::kRootComplex, "root-complex", {}},
    {ViewKind::kBridge, "pcie-switch", DeviceKind::kBridge},
    {ViewKind::kGpu, "gpu", DeviceKind::kGpu},
    {ViewKind::kNic, "nic", DeviceKind::kNic},
    {ViewKind::kNvSwitch, "nvswitch", DeviceKind::kNvSwitch},
    {ViewKind::kStorage, "storage", DeviceKind::kStorage},
    {ViewKind::kOther, "other", DeviceKind::kOther},
}};

ViewKind kind_for(DeviceKind kind) {
  return std::ranges::find(kKindsOfView, kind, &KindOfView::device)->kind;
}

/// Builds the graph that DOT and GraphML share: NUMA nodes, root complexes and devices as nodes,
/// PCIe as edges down the tree, NVLinks between their ends. An NVSwitch missing from the dump
/// becomes a node when a GPU has links to it. A link listed at both ends is one edge.
class ViewBuilder {
 public:
  explicit ViewBuilder(const Inventory& host) : host_(host) {}

  [[nodiscard]] View build();

 private:
  [[nodiscard]] std::size_t add(ViewNode node) {
    view_.nodes.push_back(std::move(node));
    return view_.nodes.size() - 1;
  }
  void add_numa_nodes();
  void add_device(const NamedDevice& named);
  [[nodiscard]] std::size_t root_complex(std::size_t numa_node, const std::string& name);
  void add_nvlinks(const Device& gpu, std::size_t from);
  [[nodiscard]] std::optional<std::size_t> peer(const NvLinks& links);

  const Inventory& host_;
  View view_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::size_t> by_bus_id_;  ///< GPUs and NVSwitches
  std::map<std::pair<std::size_t, std::string>, std::size_t> roots_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> nvlinks_;  ///< edges by their ends
};

void ViewBuilder::add_numa_nodes() {
  for (std::size_t n = 0; n < host_.numa_nodes.size(); ++n) {
    const NumaNode& node = host_.numa_nodes[n];
    const std::string model = node.cpu_name    ? node.cpu_name->value
                              : host_.cpu_name ? host_.cpu_name->value
                              : node.vendor    ? node.vendor->value
                                               : std::string();
    const std::string name = numa_node_name(n);
    by_name_[name] = add({ViewKind::kNumaNode, name, printable(model), "", n});
    if (n > 0) view_.edges.push_back({n - 1, n, ViewEdgeKind::kCpus, {}});
  }
}

std::size_t ViewBuilder::root_complex(std::size_t numa_node, const std::string& name) {
  const auto known = roots_.find({numa_node, name});
  if (known != roots_.end()) return known->second;
  const std::size_t root = add(
      {ViewKind::kRootComplex,
       fmt::format("{} root {}", numa_node_name(numa_node), printable(name)), "", "", numa_node});
  view_.edges.push_back({numa_node, root, ViewEdgeKind::kPcie, {}});
  roots_.emplace(std::pair(numa_node, name), root);
  return root;
}

void ViewBuilder::add_device(const NamedDevice& named) {
  const Device& device = *named.device;
  std::optional<std::size_t> parent;
  if (const auto above = by_name_.find(named.under); above != by_name_.end()) {
    parent = above->second;
  }
  const bool is_top = parent && view_.nodes[*parent].kind == ViewKind::kNumaNode;
  if (is_top && device.root_complex) {
    parent = root_complex(*named.numa_node, device.root_complex->value);
  }
  const std::size_t index = add({kind_for(device.kind), printable(named.name),
                                 printable(device.name ? device.name->value : std::string()),
                                 printable(device.bus_id), named.numa_node, true});
  by_name_.emplace(named.name, index);
  const bool has_links = device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kNvSwitch;
  if (has_links && !device.bus_id.empty()) by_bus_id_.emplace(device.bus_id, index);
  if (!parent) return;
  ViewEdge edge{
      *parent, index, named.without_pcie ? ViewEdgeKind::kNoPcie : ViewEdgeKind::kPcie, {}};
  if (device.link) {
    edge.width = device.link->value;
    edge.gigabytes_per_second = pcie_gigabytes_per_second(device.link->value);
  }
  view_.edges.push_back(edge);
}

/// The target node of NVLinks; nothing if it is outside the host.
std::optional<std::size_t> ViewBuilder::peer(const NvLinks& links) {
  const std::string& target = links.target.value;
  const auto known = by_bus_id_.find(target);
  if (known != by_bus_id_.end()) return known->second;
  const bool is_hidden = target == kHiddenNvSwitch;
  const bool is_switch =
      is_hidden || (links.target_class && is_nvswitch_class(links.target_class->value));
  if (!is_switch) return std::nullopt;
  std::string name = is_hidden ? "NVSwitch" : fmt::format("NVSwitch {}", printable(target));
  const std::size_t made = add({ViewKind::kNvSwitch, std::move(name), "",
                                is_hidden ? std::string() : printable(target), std::nullopt});
  by_bus_id_.emplace(target, made);
  return made;
}

void ViewBuilder::add_nvlinks(const Device& gpu, std::size_t from) {
  for (const NvLinks& links : gpu.gpu->nvlinks) {
    const auto to = peer(links);
    if (!to || *to == from) continue;
    ViewEdge edge{from, *to, gpu.gpu->xgmi ? ViewEdgeKind::kXgmi : ViewEdgeKind::kNvLink, {}};
    edge.links = links.count.value;
    if (links.rate) {
      edge.gigabytes_per_second = static_cast<double>(links.rate->value.count()) / 1e9 *
                                  static_cast<double>(links.count.value);
    }
    // Both ends of a link can list it.
    const auto [known, is_new] = nvlinks_.emplace(std::minmax(from, *to), view_.edges.size());
    if (is_new) {
      view_.edges.push_back(edge);
    } else if (view_.edges[known->second].links < edge.links) {
      view_.edges[known->second] = edge;
    }
  }
}

View ViewBuilder::build() {
  add_numa_nodes();
  const std::vector<NamedDevice> devices = name_devices(host_);
  for (const NamedDevice& named : devices) add_device(named);
  for (const NamedDevice& named : devices) {
    if (named.device->gpu) add_nvlinks(*named.device, by_name_.at(named.name));
  }
  return std::move(view_);
}

/// Switches to merge, each with its representative, and their number by representative.
struct Merging {
  std::map<std::size_t, std::size_t> into;
  std::map<std::size_t, std::size_t> counts;
};

Merging nvswitches_to_merge(const View& view) {
  std::map<std::size_t, std::set<std::size_t>> neighbours;
  for (const ViewEdge& edge : view.edges) {
    for (const auto& [node, other] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
      const ViewNode& candidate = view.nodes[node];
      const bool counts = candidate.kind == ViewKind::kNvSwitch && !candidate.is_device;
      if (counts) neighbours[node].insert(other);
    }
  }
  Merging merging;
  std::map<std::set<std::size_t>, std::size_t> first;
  for (const auto& [node, others] : neighbours) {
    const std::size_t into = first.emplace(others, node).first->second;
    merging.into[node] = into;
    ++merging.counts[into];
  }
  return merging;
}

}  // namespace

View with_nvswitches_merged(const View& view) {
  const Merging merging = nvswitches_to_merge(view);
  View merged;
  std::vector<std::size_t> places(view.nodes.size());
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    const auto into = merging.into.find(i);
    if (into != merging.into.end() && into->second != i) {
      places[i] = places[into->second];
      continue;
    }
    places[i] = merged.nodes.size();
    merged.nodes.push_back(view.nodes[i]);
    if (into == merging.into.end() || merging.counts.at(i) == 1) continue;
    merged.nodes.back().name = fmt::format("{} NVSwitches", merging.counts.at(i));
    merged.nodes.back().bus_id.clear();
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> edges;
  for (ViewEdge edge : view.edges) {
    edge.a = places[edge.a];
    edge.b = places[edge.b];
    const auto [known, is_new] = edges.emplace(std::pair(edge.a, edge.b), merged.edges.size());
    if (is_new) {
      merged.edges.push_back(edge);
      continue;
    }
    ViewEdge& sum = merged.edges[known->second];
    sum.links += edge.links;
    if (sum.gigabytes_per_second && edge.gigabytes_per_second) {
      *sum.gigabytes_per_second += *edge.gigabytes_per_second;
    }
  }
  return merged;
}

View view_of(const Inventory& host) { return ViewBuilder(host).build(); }

const char* to_word(ViewKind kind) {
  return std::ranges::find(kKindsOfView, kind, &KindOfView::kind)->word;
}

}  // namespace vgsim::topology::inventory
