#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/paths.hpp"

namespace vgsim::collectives::nccl {

/// The CPU with the fewest hops from the GPU; from 2.30 of those over the fastest and best path.
[[nodiscard]] NodeId nearest_cpu(const Graph& graph, const Paths& paths, std::size_t gpu,
                                 const Rules& rules);

/// The NETs that the GPU reaches with the highest bandwidth, and of these over the best type.
[[nodiscard]] std::vector<std::size_t> nearest_nets(const Graph& graph, const Paths& paths,
                                                    std::size_t gpu);

/// The GPUs that the NET reaches with the highest bandwidth, and of these over the best type.
[[nodiscard]] std::vector<std::size_t> nearest_gpus(const Graph& graph, const Paths& paths,
                                                    std::size_t net);

/// The NET that a GPU takes on a channel, such that GPUs that share NETs take different ones. Empty
/// graph of NETs: -1.
[[nodiscard]] int preferred_net(const Graph& graph, const Paths& paths, std::size_t gpu,
                                int channel, const Rules& rules);

/// The NETs that the GPU prefers on channel 0, 1, ... until they repeat.
[[nodiscard]] std::vector<std::size_t> preferred_nets(const Graph& graph, const Paths& paths,
                                                      std::size_t gpu, const Rules& rules);

/// The first of the nearest GPUs that prefers the NET on an early channel; -1 if none does.
[[nodiscard]] int owner_of_net(const Graph& graph, const Paths& paths, std::size_t net,
                               const Rules& rules);

}  // namespace vgsim::collectives::nccl
