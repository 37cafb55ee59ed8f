#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/importers/infragraph/infragraph_expand.hpp"

namespace vgsim::topology::infragraph {

/// A device of the PCIe tree of a host. Slots and the like that pass PCIe on to one device are not
/// in it, and neither are root complexes.
struct Branch {
  /// Of Expansion::vertices; of a bridge that is only inferred, beyond them.
  std::uint32_t vertex = 0;
  std::vector<const Link*> links;     ///< up to what it hangs on
  std::optional<std::uint32_t> root;  ///< vertex of the root complex right above
  bool is_bridge = false;
  bool without_pcie = false;  ///< a NIC of which only the CPU is told
  std::vector<Branch> below;
};

struct Tree {
  std::vector<std::vector<Branch>> of_cpus;  ///< by CPU, in the order of their vertices
  std::vector<Branch> unplaced;              ///< trees and devices that no CPU is joined to
  std::size_t unused_joins = 0;              ///< of PCIe, which would close a loop
  bool has_inferred_bridges = false;         ///< GPUs and NICs that are joined directly
  bool has_c2c = false;                      ///< GPUs that only a link to the CPU's memory places
};

/// Makes a tree of the joins that are not NVLink, memory, network or between CPUs: each device
/// hangs on what is nearest to a CPU. Switches that GPUs have NVLinks to must be kNvSwitch.
/// Nothing if that is more than 32 levels deep.
[[nodiscard]] std::optional<Tree> build_tree(const Expansion& host);

}  // namespace vgsim::topology::infragraph
