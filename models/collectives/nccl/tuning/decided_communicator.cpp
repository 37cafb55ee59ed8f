#include "models/collectives/nccl/tuning/decided_communicator.hpp"

#include <algorithm>
#include <limits>

namespace vgsim::collectives::nccl {
namespace {

/// NCCL uses the first CPU of each node.
CpuVendors vendors_of(const Decision& decision) {
  std::size_t amd = 0;
  for (const NodeKind& kind : decision.kinds) {
    const GraphCpu& cpu = kind.connected.graph.cpus.at(0);
    if (cpu.vendor == CpuVendor::kAmd) ++amd;
  }
  if (amd == decision.kinds.size()) return CpuVendors::kAmd;
  return amd == 0 ? CpuVendors::kOther : CpuVendors::kMixed;
}

/// A chain in one node makes all trees as slow as chains, from the information that ranks exchange.
Pattern tree_pattern(const Decision& decision, const Constants& constants) {
  const bool known = constants.release >= Version{2, 27, 0};
  for (const NodeKind& kind : decision.kinds) {
    if (known && kind.graphs.tree.pattern == Pattern::kTree) return Pattern::kTree;
  }
  return decision.tree.pattern;
}

}  // namespace

Communicator communicator_of(const Decision& decision, const Settings& settings,
                             const Constants& constants) {
  Communicator comm;
  comm.ranks = decision.ranks();
  comm.nodes = static_cast<int>(decision.nodes.size());
  comm.min_sm = std::numeric_limits<int>::max();
  comm.max_sm = 0;
  comm.nvswitch = true;
  for (const NodeKind& kind : decision.kinds) {
    for (const GraphGpu& gpu : kind.connected.graph.gpus) {
      comm.min_sm = std::min(comm.min_sm, gpu.sm);
      comm.max_sm = std::max(comm.max_sm, gpu.sm);
    }
    comm.nvswitch = comm.nvswitch && !kind.connected.graph.nv_switches.empty();
    comm.x86 = comm.x86 && kind.connected.graph.cpus.at(0).arch == CpuArch::kX86;
  }
  comm.cpus = vendors_of(decision);
  comm.channels = decision.channels;
  comm.ring = decision.ring;
  comm.tree = decision.tree;
  comm.tree.pattern = tree_pattern(decision, constants);
  if (decision.collnet_direct) comm.collnet_direct = *decision.collnet_direct;
  if (decision.collnet_chain) comm.collnet_chain = *decision.collnet_chain;
  if (decision.nvls) comm.nvls = *decision.nvls;
  comm.collnet = settings.collnet_enable.value_or(false) && decision.collnet_chain.has_value();
  comm.nvls_everywhere = decision.nvls.has_value();
  comm.nvls_channels = decision.nvls_channels;
  comm.nvls_heads = static_cast<int>(decision.nvls_heads);
  return comm;
}

Constants with_settings(Constants constants, const Settings& settings) {
  WorkConstants& work = constants.work;
  const auto simple = static_cast<std::size_t>(Protocol::kSimple);
  const auto ll = static_cast<std::size_t>(Protocol::kLl);
  const auto ll128 = static_cast<std::size_t>(Protocol::kLl128);
  if (settings.buffsize) work.buffer[simple] = Bytes{*settings.buffsize};
  if (settings.ll_buffsize) work.buffer[ll] = Bytes{*settings.ll_buffsize};
  if (settings.ll128_buffsize) work.buffer[ll128] = Bytes{*settings.ll128_buffsize};
  if (settings.nvls_chunk_size) work.nvls_chunk = Bytes{*settings.nvls_chunk_size};
  if (settings.threads) {
    work.threads[simple] = work.threads[ll] = work.threads_simple_slow_ring = *settings.threads;
  }
  return constants;
}

}  // namespace vgsim::collectives::nccl
