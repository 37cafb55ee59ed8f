#pragma once

#include <span>
#include <string>

#include "models/collectives/nccl/outcome.hpp"

namespace vgsim::cli {

/// NCCL's decisions as text: paths, graphs, rings and trees, and the choice by size.
[[nodiscard]] std::string nccl_text(const collectives::nccl::Outcome& outcome,
                                    std::span<const Bytes> sizes);

}  // namespace vgsim::cli
