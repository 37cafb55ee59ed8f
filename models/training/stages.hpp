#pragma once

#include <cstdint>
#include <vector>

#include "models/training/network.hpp"
#include "models/training/parallelism.hpp"

namespace vgsim::training {

/// The layers of a pipeline stage, chunk by chunk.
using StageLayers = std::vector<std::vector<const LayerGroup*>>;

/// Cuts a network's layers into stages times virtual stages: blocks of a transformer evenly, with
/// the embedding first and the output last; layers of other networks by their operations. The
/// result is by stage; chunks are assigned round-robin, as in the interleaved schedule.
[[nodiscard]] std::vector<StageLayers> cut_into_stages(const NetworkModel& network,
                                                       const Parallelism& parallelism,
                                                       std::int64_t tokens);

}  // namespace vgsim::training
