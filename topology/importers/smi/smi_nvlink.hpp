#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds lines of `nvidia-smi nvlink -s`, `-R` or `-p`. Looks at content alone, is
/// cheap and never throws.
[[nodiscard]] bool is_smi_nvlink(std::string_view text);

/// Whether a text holds lines of `nvidia-smi -L`, with which those of nvlink begin as well.
[[nodiscard]] bool is_smi_list(std::string_view text);

/// Reads `nvidia-smi nvlink -s` (links that are up), `-R` and `-p` (the device at the other end of
/// each) and `nvidia-smi -L`, alone or one after the other, with any other text between them.
///
/// Fills `unplaced` with a GPU for each: number, name, UUID, whether MIG mode is on, how many links
/// are up, links by the bus id of their peer. GB/s of a link go to the peer's links if they are
/// payload (20, 25, 50, 100); 25.781, 26.562 and 53.125 are signalling rates and only mentioned.
///
/// Errors: kNothingInIt without any such line, kDoNotFit for two GPUs of one number. Warnings:
/// links that -s and -R, or two places, tell differently.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_nvlink(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_nvlink(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
