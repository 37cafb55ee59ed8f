#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds the plain-text output of `nvidia-smi -q`. Looks at content alone, is cheap
/// and never throws.
[[nodiscard]] bool is_smi_query_text(std::string_view text);

/// Reads the plain-text output of `nvidia-smi -q`, whole or of some sections (`-d MEMORY`), one or
/// more logs of one host between any other text. Tells the same as read_smi_query_xml(), but for
/// vGPUs; GPUs have numbers where the line "Attached GPUs" says that all are there.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 GPUs
/// or 64 logs.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_query_text(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_query_text(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
