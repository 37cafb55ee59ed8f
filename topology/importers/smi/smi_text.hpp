#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds output of nvidia-smi that read_smi_text() reads. Looks at content alone,
/// is cheap and never throws.
[[nodiscard]] bool is_smi_text(std::string_view text);

/// Reads a recording of one or more commands of nvidia-smi of one host, in any order, with shell
/// prompts, comments and other text between them: -L, -q, -q -x, --query-gpu, topo -m, nvlink -s,
/// -R and -p, vgpu -q, and the tables of nvidia-smi and nvidia-smi vgpu. What they tell of a GPU is
/// joined by its bus id, else by its number or UUID.
///
/// Errors: those of the single readers (see their headers), kNothingInIt if none of it is there,
/// kDoNotFit for GPUs of two hosts.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_text(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
