#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/importers/smi/smi_vgpu_profile.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// Whether a text holds the output of `nvidia-smi vgpu -q`. Looks at content alone, is cheap and
/// never throws.
[[nodiscard]] bool is_smi_vgpu(std::string_view text);

/// Reads `nvidia-smi vgpu -q` of an ESXi or KVM host, between any other text: fills `unplaced` with
/// a GPU for each, of which only the bus id and the vGPUs on it are told. A vGPU has its type as
/// ESXi calls it and its VM's name, without one its UUID or number.
///
/// The table of `nvidia-smi vgpu` and XML are read by read_smi_table() and read_smi_query_xml().
///
/// Errors: kNothingInIt without a GPU, kTooMuch beyond 4096 GPUs or 4096 vGPUs. Warnings: another
/// number of vGPUs than the GPU says it has, a vGPU without a name.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_vgpu(
    const input::SourcePtr& source);

/// The same as a part of a longer recording.
void read_smi_vgpu(SmiReport& report, inventory::Inventory& host);

}  // namespace vgsim::topology
