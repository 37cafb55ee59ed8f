#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/scenario.hpp"
#include "models/vsphere/placement/placer.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// vSphere's placement of the VMs of a layout.
struct LayoutPlacement {
  std::string name;
  std::string vsphere;             ///< version
  std::vector<std::string> hosts;  ///< in natural order of names
  vsphere::PlacementReport report;
};

/// Whether some VM of a layout has no host.
[[nodiscard]] bool leaves_hosts_open(const Layout& layout);

/// Places the VMs of a layout. Reports errors of hosts and VMs; nothing is placed then.
[[nodiscard]] LayoutPlacement place_layout(const Layout& layout, const Library& library,
                                           const input::FileLoader& load,
                                           input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
