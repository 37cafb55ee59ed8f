#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds the table of `nvidia-smi` or `nvidia-smi vgpu`. Looks at content alone, is
/// cheap and never throws.
[[nodiscard]] bool is_smi_table(std::string_view text);

/// Reads the table that `nvidia-smi` without options prints, and that of `nvidia-smi vgpu`, between
/// any other text: the driver and, for each GPU, number, bus id, name, memory, MIG mode and vGPUs.
/// Names that the table cuts ("NVIDIA RTXA...") are not told.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_table(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_table(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
