#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/importers/infragraph_expand.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// What the links between GPUs, and from GPUs to NVSwitches, come to.
struct GpuLinks {
  std::map<std::uint32_t, std::vector<inventory::NvLinks>> of_gpus;  ///< by vertex
  std::set<std::uint32_t> xgmi;                                      ///< GPUs whose links are AMD's
  std::vector<std::string> assumed;                                  ///< sentences
  std::vector<std::string> skipped;
};

/// Makes NVSwitches of switches that GPUs have NVLinks to, whatever they are called.
void find_nvswitches(Expansion& host);

/// `bus_ids` has those of the vertices that have one. GPUs that others have links to must;
/// NVSwitches without are kHiddenNvSwitch, all together.
[[nodiscard]] GpuLinks gpu_links(const Expansion& host,
                                 const std::map<std::uint32_t, std::string>& bus_ids,
                                 const std::string& source);

/// The GPUs that others have links to, in order.
[[nodiscard]] std::set<std::uint32_t> linked_gpus(const Expansion& host);

}  // namespace vgsim::topology::infragraph
