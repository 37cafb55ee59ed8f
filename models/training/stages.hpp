#pragma once

#include <cstdint>
#include <vector>

#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"

namespace vgsim::training {

/// The layers of a pipeline stage, chunk by chunk.
using StageLayers = std::vector<std::vector<const LayerGroup*>>;

/// Cuts a network's layers into as many chunks as there are stages times chunks of each: blocks of
/// a transformer evenly, with the embedding before and the output after; others by their
/// operations. By stage; chunks go round the stages, as the interleaved schedule has them.
[[nodiscard]] std::vector<StageLayers> cut_into_stages(const NetworkModel& network,
                                                       const Parallelism& parallelism,
                                                       std::int64_t tokens);

}  // namespace vgsim::training
