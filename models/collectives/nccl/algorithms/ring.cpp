#include <algorithm>
#include <cmath>

#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

/// From 2.31 on, a ring of Blackwell GPUs through two nodes is as fast as the network.
double ring_speed(const AlgorithmCall& c) {
  const bool by_network =
      c.release() >= kSeparateCostModel && c.comm.nodes == 2 && c.comm.min_sm >= 100;
  return by_network ? c.graph().speed_inter : speed_by_nodes(c);
}

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

/// Whether a ring inside one node of Blackwell GPUs takes longer to fill: from 2.31 on for gathers,
/// from 2.32 on for AllReduce as well.
bool has_plateau_inside(const AlgorithmCall& c) {
  return c.comm.nodes == 1 && c.comm.min_sm >= 100 && c.graph().type_intra == PathType::kNvl &&
         ((c.gathers() && c.release() >= kSeparateCostModel) ||
          (c.all_reduce() && c.release() >= Version{2, 32, 0}));
}

/// From 2.32 on it grows with the steps, and from 256 to 512 KiB per rank and channel it shrinks.
double plateau_inside(const AlgorithmCall& c, double full, std::int64_t bytes) {
  constexpr double kStep = 0.1;
  constexpr double kKnee = 256.0 * 1024;
  if (c.release() < Version{2, 32, 0}) return full;
  const double most = full - 1;
  const int steps = ring_steps(c.function, c.comm.ranks);
  const double by_steps = 1 - std::pow(kStep / most, std::max(0, steps - 1));
  const double beyond = std::clamp((static_cast<double>(bytes) - kKnee) / kKnee, 0.0, 1.0);
  return 1 + by_steps * (most - kStep * beyond);
}

/// Large Simple rings take longer to fill: over the network, and inside nodes of Blackwell GPUs.
double ring_latency_factor(const AlgorithmCall& c, Bytes size) {
  const Communicator& comm = c.comm;
  const bool over_network = c.all_reduce() && comm.nodes > 1;
  if (!c.simple() || !(over_network || has_plateau_inside(c))) return 1;
  const std::int64_t bytes = size.count() / (std::int64_t{comm.channels} * comm.ranks);
  const bool large = c.release() < Version{2, 18, 0}
                         ? size.count() >= std::int64_t{4096} * comm.ranks
                         : bytes >= 64;
  if (!large) return 1;
  const double factor = comm.min_sm < 80 ? c.constants.factors.ring_plateau_below_sm80
                                         : c.constants.factors.ring_plateau_from_sm80;
  return over_network ? factor : plateau_inside(c, factor, bytes);
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
                                  .channel_speed = &ring_speed,
                                  .bandwidth = &ring_bandwidth,
                                  .buffer_share = &ring_buffer_share,
                                  .latency = &ring_latency,
                                  .latency_factor = &ring_latency_factor,
                                  .spare_warps = 1,
                                  .most_threads = &ring_threads,
                                  .bytes_per_thread = &ring_bytes_per_thread,
                                  .chunk = &ring_chunk};

}  // namespace vgsim::collectives::nccl
