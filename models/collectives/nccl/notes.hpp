#pragma once

#include <string>
#include <vector>

#include "models/collectives/nccl/outcome.hpp"

namespace vgsim::collectives::nccl {

/// A decision of NCCL that costs bandwidth and is easily overlooked.
struct Note {
  std::string rule;  ///< "nccl-host-split"
  std::string text;
};

/// Notes in a fixed order: a host that is split into several nodes, pairs that communicate through
/// host memory, NICs without GPUDirect RDMA, searches without result, disabled protocols.
[[nodiscard]] std::vector<Note> notes_of(const Outcome& outcome);

}  // namespace vgsim::collectives::nccl
