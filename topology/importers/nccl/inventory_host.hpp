#pragma once

#include <vector>

#include "topology/device_builder.hpp"
#include "topology/graph/open_point.hpp"
#include "topology/importers/nccl/nccl_host.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::inventory {

/// Builds the host that an inventory describes, as build_nccl_host() does of an NCCL file: what is
/// not told is filled in and listed. Models that the inventory names, and GPUs whose name the
/// catalogue knows, complete it where `completion` does not. AMD's GPUs are an error. `source`:
/// the topology file, for messages.
void build_inventory_host(const Inventory& host, NcclCompletion completion,
                          const input::SourcePtr& source, DeviceBuilder& devices,
                          input::Diagnostics& diagnostics);

/// What an answer about this host would rest on though no file tells it; and why it cannot be built
/// at all, where that is so.
[[nodiscard]] std::vector<OpenPoint> open_points(const Inventory& host, const Catalog& catalog);

}  // namespace vgsim::topology::inventory
