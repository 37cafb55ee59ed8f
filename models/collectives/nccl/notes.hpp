#pragma once

#include <string>
#include <vector>

#include "models/collectives/nccl/outcome.hpp"

namespace vgsim::collectives::nccl {

/// Something in NCCL's decisions that costs bandwidth and is easily overlooked.
struct Note {
  std::string rule;  ///< "nccl-host-split"
  std::string text;
};

/// What stands out, in a fixed order: a host that is split into several nodes, pairs that go
/// through host memory, NICs without GPUDirect RDMA, searches that found nothing, protocols that
/// are off.
[[nodiscard]] std::vector<Note> notes_of(const Outcome& outcome);

}  // namespace vgsim::collectives::nccl
