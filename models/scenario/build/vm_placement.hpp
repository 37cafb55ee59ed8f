#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/scenario.hpp"
#include "models/vsphere/placement/placer.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// What happens to the VMs of a host that enters maintenance mode while all others run.
struct HostMaintenance {
  struct Move {
    std::string vm;
    std::string host;   ///< that takes it; empty if none can
    bool live = false;  ///< by vMotion; otherwise it is powered off and started there
    std::string why;    ///< why not by vMotion, or why no host can take it
  };
  std::vector<std::string> hosts;  ///< alike, with moves as those of the first one
  std::vector<Move> moves;         ///< in the order in which they are placed

  [[nodiscard]] bool can_be_emptied() const;
};

/// vSphere's placement of the VMs of a layout.
struct LayoutPlacement {
  std::string name;
  std::string vsphere;             ///< version
  std::vector<std::string> hosts;  ///< in natural order of names
  vsphere::PlacementReport report;
  /// If all VMs can be placed, and there is more than one host.
  std::vector<HostMaintenance> maintenance;
};

/// Whether some VM of a layout has no host.
[[nodiscard]] bool leaves_hosts_open(const Layout& layout);

/// Places the VMs of a layout. Reports errors of hosts and VMs; nothing is placed then.
[[nodiscard]] LayoutPlacement place_layout(const Layout& layout, const Library& library,
                                           const input::FileLoader& load,
                                           input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
