#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/logs/nccl/nccl_tree.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::calibration::logs {

/// Facts of a host in messages other than the tree.
struct NcclHostFacts {
  std::vector<std::string> nics;                    ///< names by NCCL's numbers
  std::map<std::string, bool> gdr;                  ///< by the name of the NIC
  std::map<std::string, std::int64_t> gpu_numbers;  ///< of NVML, by bus id
};

/// The inventories of the hosts in a tree. Errors and warnings as of read_nccl_systems().
[[nodiscard]] tl::expected<std::vector<topology::inventory::Inventory>, input::Diagnostics>
hosts_of(const input::SourcePtr& file, const NcclTree& tree, const NcclHostFacts& facts);

}  // namespace vgsim::calibration::logs
