#include "tools/report/charts/topology_columns.hpp"

#include <algorithm>

#include "tools/report/charts/frame.hpp"
#include "tools/report/charts/topology.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kMostName = 110;  ///< longer names are shortened
constexpr double kToNetwork = 64;  ///< space for the load of a port or an uplink
constexpr double kLeastGap = 44;   ///< space for the load of a link
constexpr double kMostGap = 74;

std::size_t most_lanes(const std::vector<PeerLink>& links) {
  std::size_t lanes = 0;
  for (const PeerLink& link : links) lanes = std::max(lanes, link.lane + 1);
  return lanes;
}

void widen_for_names(const scenario::TopologyPicture& picture, const std::vector<HostTree>& trees,
                     TopologyColumns& columns) {
  for (std::size_t h = 0; h < trees.size(); ++h) {
    for (const TreeDevice& device : trees[h].devices) {
      const std::string& name = picture.hosts[h].nodes[device.node].name;
      double& column = device.leaf ? columns.device_width : columns.width[device.depth];
      column = std::max(column, std::min(text_width(name, kTextSize), kMostName) + 14);
    }
  }
}

}  // namespace

TopologyColumns columns_of(const scenario::TopologyPicture& picture,
                           const std::vector<HostTree>& trees) {
  std::size_t depth = 0;
  std::size_t lanes = 0;
  std::size_t peers = 0;
  for (const HostTree& tree : trees) {
    depth = std::max(depth, tree.depth);
    lanes = std::max(lanes, most_lanes(tree.nvlinks));
    peers = std::max(peers, most_lanes(tree.others));
  }
  TopologyColumns columns;
  columns.width.assign(depth + 1, 40);
  columns.device_width = 50;
  widen_for_names(picture, trees, columns);
  columns.spines = kWide.width - kTopologyFabricBox;
  columns.leaves =
      picture.spines > 0 ? columns.spines - kTopologyFabricBox - kToNetwork : columns.spines;
  columns.host_end = has_network(picture) ? columns.leaves - kToNetwork : kWide.width;
  double inner = columns.device_width;
  for (const double width : columns.width) inner += width;
  double x = kTopologyPad + static_cast<double>(peers) * kTopologyLane + (peers > 0 ? 34 : 0);
  const double nvlinks = std::max(static_cast<double>(lanes) * kTopologyLane + 44, 150.0);
  const double gaps = columns.host_end - x - inner - nvlinks - kTopologyPad;
  const double gap = std::clamp(gaps / static_cast<double>(depth + 1), kLeastGap, kMostGap);
  for (const double width : columns.width) {
    columns.left.push_back(x);
    x += width + gap;
  }
  columns.devices = x;
  columns.nvlinks = x + columns.device_width + 12;
  return columns;
}

}  // namespace vgsim::report
