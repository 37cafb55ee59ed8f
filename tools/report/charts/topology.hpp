#pragma once

#include <string>

#include "models/scenario/run/topology_picture.hpp"
#include "tools/report/charts/frame.hpp"

namespace vgsim::report {

/// Most hosts of different kinds that a report draws.
inline constexpr std::size_t kMostDrawnHosts = 3;

/// The devices of the hosts by socket, and the network between hosts. Colour and width of a
/// link show its load, with the figure next to it. The first `most_hosts` are drawn.
[[nodiscard]] std::string topology_wide(const scenario::TopologyPicture& picture,
                                        const std::string& title, const std::string& description,
                                        std::size_t most_hosts = kMostDrawnHosts);

/// The same as an indented tree.
[[nodiscard]] std::string topology_narrow(const scenario::TopologyPicture& picture,
                                          const std::string& title, const std::string& description,
                                          std::size_t most_hosts = kMostDrawnHosts);

/// "esx01 and 3 like it", with the VMs on it.
[[nodiscard]] std::string host_heading(const scenario::DrawnHost& host);

/// Whether there is a network between hosts to draw.
[[nodiscard]] bool has_network(const scenario::TopologyPicture& picture);

/// "2 leaves", "switch".
[[nodiscard]] std::string leaves_heading(const scenario::TopologyPicture& picture);

/// The busiest of the links between leaves and spines.
[[nodiscard]] const scenario::DrawnFabricLinks* busiest_uplink(
    const scenario::TopologyPicture& picture);

}  // namespace vgsim::report
