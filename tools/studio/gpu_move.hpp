#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/studio/change.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// Moves one GPU, or a vGPU on it, from one VM to another.
struct GpuMove {
  std::string gpu;   ///< "esx01/gpu1"
  std::string from;  ///< VM; empty: the GPU is free
  std::string to;    ///< VM
};

/// Possible moves of a GPU: from each VM that has it, or from the free ones, to the other VMs
/// on its host. vSphere's rules are not checked.
[[nodiscard]] std::vector<GpuMove> gpu_moves(const Studio& studio, const std::string& gpu);

/// The change that makes the move. VMs list their GPUs by name then; device groups are resized
/// instead. Errors: an unknown GPU or VM, or a wrong owner; VMs on different hosts
/// (no-free-gpu); the only GPU of a VM.
[[nodiscard]] tl::expected<Change, Objection> change_of(const Studio& studio, const GpuMove& move);

}  // namespace vgsim::studio
