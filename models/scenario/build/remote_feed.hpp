#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "sim/network.hpp"
#include "topology/fabric.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::scenario {

/// Path of the input to a GPU whose process runs on another host (remote GPUs, as with Bitfusion).
struct RemoteFeed {
  std::size_t client = 0;              ///< index into Cluster::hosts
  std::vector<Crossing> storage_read;  ///< in the client: storage to memory; empty without storage
  std::vector<Crossing> core_time;     ///< in the client
  std::vector<Crossing> leaving;       ///< in the client: memory to network
  topology::FabricPath fabric;
  std::vector<Crossing> arriving;  ///< in the server: network to memory to GPU
};

/// The feed of a GPU of a machine with a client. Reports unknown hosts and NICs at `where`.
[[nodiscard]] std::optional<RemoteFeed> remote_feed(const Cluster& cluster, std::size_t machine,
                                                    std::size_t gpu, const input::Origin& where,
                                                    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
