#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text is, or holds, XML of nvidia-smi. Looks at content alone, is cheap and never
/// throws.
[[nodiscard]] bool is_smi_query_xml(std::string_view text);

/// Reads `nvidia-smi -q -x` (nvsmi_device_v10.dtd to v13, older ones as far as they agree), alone
/// or between other text; of several logs of one host each GPU is filled from all.
///
/// Fills `driver` and, in `unplaced`, a GPU for each <gpu>: number (the order, if all attached GPUs
/// are in the log), bus id, name, UUID, PCI ids and class, memory, MIG and virtualization mode,
/// module id, PCIe link and, where a vGPU manager lists them, vGPUs. NVLink peers and NUMA nodes
/// are not in the format.
///
/// Errors: those of XmlReader; kNothingInIt without a GPU; kBadValue for two GPUs at one bus id;
/// kTooMuch beyond 16 MiB, 4096 GPUs or 16 logs. Warnings: values that cannot be, an NVLink fabric
/// that is not healthy.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_query_xml(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_query_xml(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
