#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/studio/change.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// One GPU, or vGPU on it, that goes from one VM to another.
struct GpuMove {
  std::string gpu;   ///< "esx01/gpu1"
  std::string from;  ///< VM; empty: nobody has the GPU yet
  std::string to;    ///< VM
};

/// Where a GPU of a host could go: from each VM that has it, or from nobody, to the others on that
/// host. Whether vSphere allows it is not asked.
[[nodiscard]] std::vector<GpuMove> gpu_moves(const Studio& studio, const std::string& gpu);

/// The change that makes it so. VMs name their GPUs then; device groups grow and shrink instead.
/// Errors: a GPU or VM that is not there, or not so; VMs on different hosts (no-free-gpu); the only
/// GPU of a VM.
[[nodiscard]] tl::expected<Change, Objection> change_of(const Studio& studio, const GpuMove& move);

}  // namespace vgsim::studio
