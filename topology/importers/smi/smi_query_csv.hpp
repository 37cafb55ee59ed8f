#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds the output of `nvidia-smi --query-gpu=... --format=csv`. Looks at content
/// alone, is cheap and never throws.
[[nodiscard]] bool is_smi_query_csv(std::string_view text);

/// Reads `nvidia-smi --query-gpu=... --format=csv` with its header line and any properties, with or
/// without units, between any other text. The list must have an index, a bus id or a UUID. Tells
/// the same as read_smi_query_xml(), also the compute capability and the host's name.
///
/// Errors: kNothingInIt without a row, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_query_csv(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_query_csv(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
