#pragma once

#include <string>

#include "models/collectives/nccl/outcome.hpp"

namespace vgsim::cli {

/// The graphs common to all ranks, and the rings and trees over all ranks.
[[nodiscard]] std::string nccl_graphs_text(const collectives::nccl::Outcome& outcome);

}  // namespace vgsim::cli
