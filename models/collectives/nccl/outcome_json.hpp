#pragma once

#include <span>
#include <string>

#include "models/collectives/nccl/outcome.hpp"

namespace vgsim::collectives::nccl {

/// The outcome as pretty-printed "vgsim.nccl/1" with the calls of all five functions at these
/// sizes. Names are NCCL's own where it has them; keys end in their unit (_us, _GBps).
///
/// - nccl, constantsOf, xml, nNodes (hosts), gpusPerNode, sm, collnet, nvls
/// - domainGpus, nets, gpuRanks, maxBw, totalBw (GB/s), gpuPaths and netPaths ([type, GB/s, hops]),
///   transports (of each pair of GPUs), gpuDirect (of each GPU and NET), relays, search (by graph):
///   of the first NCCL node; otherNodes: the same of those that differ from it
/// - ncclNodes, rankToNode, aligned (the graphs as all ranks agree on them), nChannels, rings
///   (ranks in order from rank 0 on, by channel), treesUp (parent of each rank, -1 for the root,
///   by channel), nvlsChannels, nvlsHeads
/// - tuning: {function: {algorithm/protocol: {lat_us, bw_GBps}}}
/// - broadcast, reduce, allgather, reducescatter, allreduce: [{bytes, time_us, choice, best_us,
///   busbw_GBps, runnerUp, runnerUp_us, nMaxChannels, nWarps, channelsUsed, bytesPerChannel,
/// chunkSize, sliceSteps, chunkSteps}]; "choice" is null if everything is forbidden
[[nodiscard]] std::string to_json(const Outcome& outcome, std::span<const Bytes> sizes);

}  // namespace vgsim::collectives::nccl
