#include "models/scenario/run/traffic_path.hpp"

namespace vgsim::scenario {
namespace {

using collectives::Transport;

bool is_in_host(Transport transport) { return transport <= Transport::kHostStaging; }

bool has_same_work(const TrafficPath& a, const TrafficPath& b) {
  return !a.gpus.empty() && a.gpus == b.gpus && a.hosts == b.hosts &&
         a.error_causes == b.error_causes;
}

}  // namespace

bool contains_path(const TrafficPath& longer, const TrafficPath& shorter) {
  if (!has_same_work(longer, shorter)) return false;
  const Transport from = shorter.slowest;
  const Transport to = longer.slowest;
  const bool is_staged = to == Transport::kStagedNetwork || to == Transport::kSocket;
  if (is_in_host(from)) return from < to && (is_in_host(to) || is_staged);
  const bool is_rdma = from == Transport::kNetwork || from == Transport::kStagedNetwork;
  return is_rdma && is_staged && from < to && longer.fastest_nic <= shorter.slowest_nic;
}

}  // namespace vgsim::scenario
