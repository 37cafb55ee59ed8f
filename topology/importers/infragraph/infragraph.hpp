#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is an InfraGraph document, YAML or JSON. Looks at content alone, is cheap and
/// never throws.
[[nodiscard]] bool is_infragraph(std::string_view text);

/// Reads an InfraGraph document (see infragraph_parser.hpp for the forms) into one inventory for
/// each kind of host: for each device with GPUs that has instances, or if none is a part of
/// another, for each device with GPUs. In `skipped` stand how many more hosts of the kind there
/// are, and what the document tells of the network.
///
/// CPUs become NUMA nodes. PCIe trees come from the edges between CPUs, bridges, slots and devices;
/// generation and width from what links say ("PCIe Gen4 x16") or, with the generation, from their
/// bandwidth. NVLinks to NVSwitches go to kHiddenNvSwitch, unless an annotation tells the switch's
/// bus id; those between GPUs to the bus ids that annotations tell or else to placeholders. An edge
/// counts as one NVLink where the link does not say how many it stands for.
///
/// Errors (import_codes.hpp): those of the parser; no device with GPUs; hosts with more than 4096
/// devices, 1024 CPUs or 32 levels of PCIe. Names that nothing has are warnings.
[[nodiscard]] tl::expected<std::vector<inventory::Inventory>, input::Diagnostics> read_infragraph(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
