#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/run/topology_picture.hpp"

namespace vgsim::report {

/// A device in the tree of a host, with its parent.
struct TreeDevice {
  std::size_t node = 0;              ///< index into DrawnHost::nodes
  std::optional<std::size_t> above;  ///< index into HostTree::devices; nothing for a root
  std::optional<std::size_t> link;   ///< index into DrawnHost::links, to the parent
  std::size_t depth = 0;
  bool leaf = true;
};

/// A link between two devices outside of the tree.
struct PeerLink {
  std::size_t from = 0;  ///< index into HostTree::devices, of the upper one
  std::size_t to = 0;
  std::size_t link = 0;  ///< index into DrawnHost::links
  std::size_t lane = 0;  ///< links in one lane do not overlap
};

/// A host as a tree with its sockets as roots, in the order of its rows. Branches without a
/// GPU, NIC, drive or used memory are left out.
struct HostTree {
  std::vector<TreeDevice> devices;                 ///< each before its children
  std::vector<PeerLink> nvlinks;                   ///< between GPUs
  std::vector<PeerLink> others;                    ///< between sockets
  std::string nv_switches;                         ///< "4 NVSwitches"; empty: none
  std::vector<std::optional<double>> to_switches;  ///< by device: utilization of its NVLinks
  std::vector<std::optional<std::size_t>> ports;   ///< by device: its link to the network
  std::size_t depth = 0;                           ///< the largest depth of an inner node
};

[[nodiscard]] HostTree tree_of(const scenario::DrawnHost& host);

/// The devices of a VM on a host, to be outlined.
struct MachineOutline {
  std::string machine;
  std::string look;                  ///< classes of style.cpp
  std::vector<std::size_t> devices;  ///< indices into HostTree::devices, leaves only
  /// First and last of each run of adjacent rows.
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  std::size_t inside =
      0;  ///< number of other VMs that share one of its devices and are drawn around it
};

/// Of the VMs on a host, in their order.
[[nodiscard]] std::vector<MachineOutline> outlines_of(const scenario::DrawnHost& host,
                                                      const HostTree& tree);

/// Whether no two links overlap, so that there is space for text.
[[nodiscard]] bool in_one_lane(const std::vector<PeerLink>& links);

/// Classes for a utilization of 0 to 1: six steps of colour and width.
[[nodiscard]] std::string load_look(double utilization);

/// "38 %", "<1 %"; empty for an idle link.
[[nodiscard]] std::string load_text(double utilization);

/// "esx01/gpu0: 12.3 GB, 38 % used of 25 GB/s": the tooltip of a link.
[[nodiscard]] std::string load_title(const std::string& name, double rate, double bytes,
                                     double utilization);

}  // namespace vgsim::report
