#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"
#include "topology/graph/open_point.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Parts that the user states where the inventory does not. Bus ids in any notation.
struct HostCompletion {
  const GpuModel* gpu = nullptr;                ///< of all GPUs; null: as in the inventory
  std::map<std::string, const GpuModel*> gpus;  ///< by bus id
  std::map<std::string, const NicModel*> nics;  ///< by bus id; override the inventory
  const NicModel* nic = nullptr;                ///< of all NICs without a rate in the inventory
  std::optional<NvLinkLayout> nvlink;           ///< replaces the inventory's NVLinks
  const CpuModel* cpu = nullptr;                ///< of all sockets; null: as in the inventory
};

/// The file that an inventory was read from.
struct HostFile {
  input::SourcePtr source;
  std::string kind = "topology";  ///< for the sources of rates
};

/// Builds the host that an inventory describes: sockets, root complexes, PCIe switches, GPUs, NICs
/// and NVLinks. GPUs and NICs are in the order of their numbers; those without one follow in the
/// order of bus ids, as in NVML.
///
/// Missing facts are taken from `completion`, then from the catalogue entries of named parts, then
/// assumed; DeviceBuilder::assume lists each assumption. Facts that cannot be assumed are errors
/// (import_codes.hpp), as are AMD GPUs; the builder is then unchanged.
void build_inventory_host(const Inventory& host, HostCompletion completion, const HostFile& file,
                          DeviceBuilder& devices, input::Diagnostics& diagnostics);

/// Missing facts of the host that affect results, and the reason if it cannot be built.
[[nodiscard]] std::vector<OpenPoint> open_points(const Inventory& host, const Catalog& catalog);

}  // namespace vgsim::topology::inventory
