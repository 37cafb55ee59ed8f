#pragma once

#include <string>

#include "models/collectives/nccl/decision.hpp"

namespace vgsim::cli {

/// Path, bandwidth and transport between the GPUs of a node, and from each to its NICs.
[[nodiscard]] std::string nccl_paths_text(const collectives::nccl::NodeKind& kind);

}  // namespace vgsim::cli
