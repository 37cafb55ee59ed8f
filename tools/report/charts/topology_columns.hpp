#pragma once

#include <vector>

#include "models/scenario/run/topology_picture.hpp"
#include "tools/report/charts/host_tree.hpp"

namespace vgsim::report {

inline constexpr double kTopologyPad = 12;        ///< between a host's frame and its content
inline constexpr double kTopologyLane = 12;       ///< between NVLinks side by side
inline constexpr double kTopologyFabricBox = 78;  ///< width of the leaves', and of the spines'

/// The columns of the wide drawing, equal for all hosts: sockets on the left, then root
/// complexes and switches, devices, NVLinks, and the network on the right.
struct TopologyColumns {
  std::vector<double> left;  ///< of inner nodes of the tree, by depth
  std::vector<double> width;
  double devices = 0;  ///< left end of the leaves of the tree
  double device_width = 0;
  double nvlinks = 0;   ///< begin of their lanes
  double host_end = 0;  ///< right end of the hosts' frames
  double leaves = 0;    ///< left ends of the network's boxes
  double spines = 0;
};

/// `trees`: of the first hosts of the picture.
[[nodiscard]] TopologyColumns columns_of(const scenario::TopologyPicture& picture,
                                         const std::vector<HostTree>& trees);

}  // namespace vgsim::report
