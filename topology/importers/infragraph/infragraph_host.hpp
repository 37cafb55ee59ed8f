#pragma once

#include <string>
#include <tl/expected.hpp>

#include "topology/importers/infragraph/infragraph_devices.hpp"
#include "topology/importers/infragraph/infragraph_notes.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// The inventory of a host that is a device of the document. `node` is what its components'
/// annotations begin with, "host.0". Of the inventory, what the document tells of instances and of
/// the network is missing.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> host_inventory(
    const DeviceIndex& devices, const Device& device, const std::string& node, NoteBook& notes,
    const input::SourcePtr& source);

}  // namespace vgsim::topology::infragraph
