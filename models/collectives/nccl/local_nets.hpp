#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/paths.hpp"

namespace vgsim::collectives::nccl {

/// The CPU with the fewest hops from the GPU; from 2.30 on among those on the fastest and best
/// path.
[[nodiscard]] NodeId nearest_cpu(const Graph& graph, const Paths& paths, std::size_t gpu,
                                 const Rules& rules);

/// The NETs with the highest bandwidth from the GPU and, among these, the best path type.
[[nodiscard]] std::vector<std::size_t> nearest_nets(const Graph& graph, const Paths& paths,
                                                    std::size_t gpu);

/// The GPUs with the highest bandwidth from the NET and, among these, the best path type.
[[nodiscard]] std::vector<std::size_t> nearest_gpus(const Graph& graph, const Paths& paths,
                                                    std::size_t net);

/// The NET of a GPU on a channel. GPUs that share NETs use different ones. Returns -1 without NETs.
[[nodiscard]] int preferred_net(const Graph& graph, const Paths& paths, std::size_t gpu,
                                int channel, const Rules& rules);

/// The NETs that the GPU prefers on channels 0, 1, ... until they repeat.
[[nodiscard]] std::vector<std::size_t> preferred_nets(const Graph& graph, const Paths& paths,
                                                      std::size_t gpu, const Rules& rules);

/// The first of the nearest GPUs that prefers the NET on an early channel; -1 if there is none.
[[nodiscard]] int owner_of_net(const Graph& graph, const Paths& paths, std::size_t net,
                               const Rules& rules);

}  // namespace vgsim::collectives::nccl
