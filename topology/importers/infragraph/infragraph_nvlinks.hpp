#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_expand.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// What the links between GPUs, and from GPUs to NVSwitches, come to.
struct GpuLinks {
  std::map<std::uint32_t, std::vector<inventory::NvLinks>> of_gpus;  ///< by vertex
  std::set<std::uint32_t> xgmi;                                      ///< GPUs whose links are AMD's
  std::vector<std::string> assumed;                                  ///< sentences
  std::vector<std::string> skipped;
};

/// Bus ids of vertices that have one, told or made up.
using BusIds = std::map<std::uint32_t, inventory::Told<std::string>>;

/// Makes NVSwitches of switches that GPUs have NVLinks to, whatever they are called.
void find_nvswitches(Expansion& host);

/// GPUs that others have links to must have bus ids; NVSwitches without one are kHiddenNvSwitch,
/// all together.
[[nodiscard]] GpuLinks gpu_links(const Expansion& host, const BusIds& bus_ids,
                                 const std::string& source);

/// The GPUs that others have links to, in order.
[[nodiscard]] std::set<std::uint32_t> linked_gpus(const Expansion& host);

}  // namespace vgsim::topology::infragraph
