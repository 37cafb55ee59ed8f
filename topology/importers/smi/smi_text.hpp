#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whether a text contains output that read_smi_text() reads. Tests content only, is cheap and
/// never throws.
[[nodiscard]] bool is_smi_text(std::string_view text);

/// Reads a recording of one or more commands of nvidia-smi of one host, in any order, with shell
/// prompts, comments and other text between them: -L, -q, -q -x, --query-gpu, topo -m, nvlink -s,
/// -R and -p, vgpu -q, and the tables of nvidia-smi and nvidia-smi vgpu. Facts of a GPU are merged
/// by its bus id, else by its number or UUID.
///
/// Errors: those of the single readers (see their headers), kNothingInIt without any such output,
/// kDoNotFit for GPUs of two hosts.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_text(
    const input::SourcePtr& source);

}  // namespace vgsim::topology
