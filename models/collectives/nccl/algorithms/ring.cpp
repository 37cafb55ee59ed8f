#include <algorithm>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

double ring_bandwidth(const AlgorithmCall& c, double bus) {
  const BandwidthFactors& f = c.constants.factors;
  if (c.protocol == Protocol::kLl) {
    const bool inside = c.comm.nodes == 1 && !c.all_reduce() && c.function != Function::kReduce;
    return std::min(c.ll_max(), bus * (inside ? f.ring_ll_inside_one_node : f.ring_ll));
  }
  if (c.protocol == Protocol::kLl128) {
    const bool alone = c.comm.ranks_per_node() < 2 && f.ring_ll128_one_gpu_nodes > 0;
    return std::min(bus * (alone ? f.ring_ll128_one_gpu_nodes : f.ring_ll128),
                    c.cap(c.constants.ring_ll128_channel_max));
  }
  return bus;
}

double ring_buffer_share(const AlgorithmCall& c) {
  return static_cast<double>(c.comm.ranks) / ring_steps(c.function, c.comm.ranks);
}

/// Every step of a ring through several nodes waits at least for the proxy threads.
double network_overhead(const AlgorithmCall& c) {
  if (c.comm.nodes == 1) return 0;
  const bool amd = c.comm.cpus == CpuVendors::kAmd && c.comm.x86;
  const double overhead =
      amd ? c.constants.network_overhead_amd : c.constants.network_overhead_other;
  return c.simple() ? overhead * c.constants.network_overhead_simple_times : overhead;
}

int network_steps(const AlgorithmCall& c) {
  const int nodes = c.comm.nodes;
  if (nodes == 1) return 0;
  if (c.function != Function::kAllReduce) return nodes - 1;
  const bool closed = c.release() >= Version{2, 11, 0} && c.release() < Version{2, 23, 0};
  return closed ? 2 * nodes : 2 * (nodes - 1);
}

double ring_latency(const AlgorithmCall& c) {
  const int steps = ring_steps(c.function, c.comm.ranks);
  if (c.function == Function::kBroadcast || c.function == Function::kReduce) {
    const StepKind kind = c.comm.nodes == 1 ? c.inside() : StepKind::kNet;
    if (c.graph().same_channels) return c.step(kind, Algorithm::kRing);
    return steps * c.step(kind, c.simple() ? Algorithm::kTree : Algorithm::kRing);
  }
  const int between = network_steps(c);
  return (steps - between) * std::max(c.step_inside(), network_overhead(c)) +
         between * c.step_between();
}

/// Large Simple rings over the network take longer to fill.
double ring_latency_factor(const AlgorithmCall& c, Bytes size) {
  const Communicator& comm = c.comm;
  if (!c.all_reduce() || !c.simple() || comm.nodes == 1) return 1;
  const bool large = c.release() < Version{2, 18, 0}
                         ? size.count() >= std::int64_t{4096} * comm.ranks
                         : size.count() / (std::int64_t{comm.channels} * comm.ranks) >= 64;
  if (!large) return 1;
  return comm.min_sm < 80 ? c.constants.factors.ring_plateau_below_sm80
                          : c.constants.factors.ring_plateau_from_sm80;
}

int ring_threads(const AlgorithmCall& c) {
  const WorkConstants& work = c.constants.work;
  const double bandwidth = c.channels() * c.comm.ring.speed_intra * 1e9;
  const bool slow = bandwidth <= static_cast<double>(work.slow_ring.count());
  return c.simple() && slow ? work.threads_simple_slow_ring : c.threads_of_protocol();
}

std::int64_t ring_bytes_per_thread(const AlgorithmCall& c) {
  const auto bytes = c.constants.work.bytes_per_thread[static_cast<std::size_t>(c.protocol)];
  return c.protocol == Protocol::kLl ? bytes * c.comm.ranks : bytes;
}

std::int64_t ring_chunk(const AlgorithmCall& c, std::int64_t slot, std::int64_t /*share*/) {
  return c.has_deep_chunks() ? slot * c.constants.work.ring_simple_slots_per_chunk : slot;
}

}  // namespace

const AlgorithmRecord kRingRecord{.algorithm = Algorithm::kRing,
                                  .name = "ring",
                                  .graph = &Communicator::ring,
                                  .shares_channels = true,
                                  .deep_chunks = true,
                                  .bandwidth = &ring_bandwidth,
                                  .buffer_share = &ring_buffer_share,
                                  .latency = &ring_latency,
                                  .latency_factor = &ring_latency_factor,
                                  .spare_warps = 1,
                                  .most_threads = &ring_threads,
                                  .bytes_per_thread = &ring_bytes_per_thread,
                                  .chunk = &ring_chunk};

}  // namespace vgsim::collectives::nccl
