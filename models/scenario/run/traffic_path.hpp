#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "models/collectives/transport.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// What the collectives of a job cross at worst, between which GPUs, for which work.
struct TrafficPath {
  collectives::Transport slowest = collectives::Transport::kNvLink;  ///< between ring neighbours
  std::map<std::string, std::size_t> gpus;  ///< number by server and model; empty: no collective
  std::size_t hosts = 0;
  BytesPerSecond slowest_nic{};  ///< of the job's VMs; 0 without NICs
  BytesPerSecond fastest_nic{};
  std::set<std::string> error_causes;  ///< of the time of passes; see ErrorCause
};

/// Whether `longer` has all that `shorter` has, and more, for the same work on the same GPUs:
/// NVLink or a NIC that reaches GPUs, then copies through host memory, then TCP. It is then never
/// faster with large messages, however wrong the predicted time of either is. On machines measured
/// both ways (peer-to-peer or GPUDirect RDMA on and off, RDMA and TCP) it took longer from 512 KiB
/// on, by 3 % to 60 times, but for one of six sizes in a flat guest of eight H200; smaller messages
/// took up to 17 % less.
[[nodiscard]] bool contains_path(const TrafficPath& longer, const TrafficPath& shorter);

}  // namespace vgsim::scenario
