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

/// What a person adds to an inventory that does not say everything. Bus ids in any notation.
struct HostCompletion {
  const GpuModel* gpu = nullptr;                ///< of all GPUs; null: as the inventory says
  std::map<std::string, const GpuModel*> gpus;  ///< by bus id
  std::map<std::string, const NicModel*> nics;  ///< by bus id; go before what the inventory says
  const NicModel* nic = nullptr;                ///< of all NICs without a rate in the inventory
  std::optional<NvLinkLayout> nvlink;           ///< instead of the inventory's NVLinks
  const CpuModel* cpu = nullptr;                ///< of all sockets; null: as the inventory says
};

/// The file that an inventory was read from.
struct HostFile {
  input::SourcePtr source;
  std::string kind = "topology";  ///< in words, for the sources of rates
};

/// Builds the host that an inventory describes: sockets, root complexes, PCIe switches, GPUs, NICs
/// and NVLinks. GPUs and NICs are in the order of their numbers, those without one after them by
/// bus id, as NVML numbers them.
///
/// Whatever the inventory leaves open is filled in and listed with DeviceBuilder::assume, in words:
/// parts that it names, and GPUs whose name the catalogue knows, complete it where `completion`
/// does not. What cannot be filled in is an error (import_codes.hpp), as are AMD's GPUs, and then
/// the builder is left as it was.
void build_inventory_host(const Inventory& host, HostCompletion completion, const HostFile& file,
                          DeviceBuilder& devices, input::Diagnostics& diagnostics);

/// What an answer about this host would rest on though no file tells it; and why it cannot be built
/// at all, where that is so.
[[nodiscard]] std::vector<OpenPoint> open_points(const Inventory& host, const Catalog& catalog);

}  // namespace vgsim::topology::inventory
