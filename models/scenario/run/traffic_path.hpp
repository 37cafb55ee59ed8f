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
/// faster, however wrong the predicted time of either is. All pairs that were measured on one
/// machine agree: peer-to-peer and GPUDirect RDMA on and off, RDMA and TCP.
[[nodiscard]] bool contains_path(const TrafficPath& longer, const TrafficPath& shorter);

}  // namespace vgsim::scenario
