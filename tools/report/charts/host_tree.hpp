#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/run/topology_picture.hpp"

namespace vgsim::report {

/// A device in the tree of a host, and how it hangs on the one above it.
struct TreeDevice {
  std::size_t node = 0;              ///< index into DrawnHost::nodes
  std::optional<std::size_t> above;  ///< index into HostTree::devices; nothing of a root
  std::optional<std::size_t> link;   ///< index into DrawnHost::links, to the one above
  std::size_t depth = 0;
  bool leaf = true;
};

/// A link between two devices of the tree that is no part of it.
struct PeerLink {
  std::size_t from = 0;  ///< index into HostTree::devices, of the upper one
  std::size_t to = 0;
  std::size_t link = 0;  ///< index into DrawnHost::links
  std::size_t lane = 0;  ///< links in one lane do not overlap
};

/// A host as a tree that begins at its sockets, to be drawn row by row. Branches without a GPU,
/// NIC, drive or used memory are left out.
struct HostTree {
  std::vector<TreeDevice> devices;                 ///< each before what hangs on it
  std::vector<PeerLink> nvlinks;                   ///< between GPUs
  std::vector<PeerLink> others;                    ///< between sockets
  std::string nv_switches;                         ///< "4 NVSwitches"; empty where there are none
  std::vector<std::optional<double>> to_switches;  ///< by device: how far its NVLinks are used
  std::vector<std::optional<std::size_t>> ports;   ///< by device: its link to the network
  std::size_t depth = 0;                           ///< of what is no leaf: the deepest
};

[[nodiscard]] HostTree tree_of(const scenario::DrawnHost& host);

/// What a VM has of a host, to be drawn around it.
struct MachineOutline {
  std::string machine;
  std::string look;                  ///< classes of style.cpp
  std::vector<std::size_t> devices;  ///< indices into HostTree::devices, leaves alone
  /// First and last of those that follow each other, row by row.
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  std::size_t inside = 0;  ///< how many others have one of its devices, and are drawn around it
};

/// Of the VMs on a host, in their order.
[[nodiscard]] std::vector<MachineOutline> outlines_of(const scenario::DrawnHost& host,
                                                      const HostTree& tree);

/// Whether none of them runs beside another, so that each has room for words.
[[nodiscard]] bool in_one_lane(const std::vector<PeerLink>& links);

/// Classes for a link that is used so far, 0 to 1: six steps of colour and width.
[[nodiscard]] std::string load_look(double utilization);

/// "38 %", "<1 %"; nothing of an idle link.
[[nodiscard]] std::string load_text(double utilization);

/// "esx01/gpu0: 12.3 GB, 38 % used of 25 GB/s": what a link says when pointed at.
[[nodiscard]] std::string load_title(const std::string& name, double rate, double bytes,
                                     double utilization);

}  // namespace vgsim::report
