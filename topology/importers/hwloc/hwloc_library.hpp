#pragma once

#include <hwloc.h>

#include <memory>
#include <string>
#include <string_view>

namespace vgsim::topology {

struct HwlocDestroyer {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, HwlocDestroyer>;
using HwlocSet = std::unique_ptr<hwloc_bitmap_s, HwlocDestroyer>;

/// Loads a topology from XML with libhwloc's own parser, all I/O devices and disallowed CPUs
/// included. Nothing is read from the machine, from files or from plug-ins, and nothing is printed.
/// Null if libhwloc refuses. libhwloc crashes on some XML: give it what clean_hwloc_xml() made.
[[nodiscard]] HwlocTopology load_hwloc(const std::string& xml);

/// Value of an info attribute, empty if there is none.
[[nodiscard]] std::string_view hwloc_info_of(hwloc_obj_t object, const char* name);

/// The set as a list: "0-23,48-71".
[[nodiscard]] std::string hwloc_list_of(hwloc_const_bitmap_t set);

}  // namespace vgsim::topology
