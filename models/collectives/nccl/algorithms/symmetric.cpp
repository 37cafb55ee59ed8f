#include "models/collectives/nccl/algorithms/record.hpp"

namespace vgsim::collectives::nccl {
namespace {

// Kernels over symmetric memory: each GPU of a node reads the buffers of all others by NVLink at
// once, in one step of protocol LL.

bool symmetric_implemented(Function function, Protocol protocol, const Version& /*release*/) {
  return protocol == Protocol::kLl && function == Function::kAllReduce;
}

bool symmetric_supported(const Communicator& comm) {
  return comm.nodes == 1 && comm.ring.type_intra == PathType::kNvl;
}

/// Each GPU receives the whole buffer of each of the others.
double symmetric_buffer_share(const AlgorithmCall& c) { return 1.0 / (c.comm.ranks - 1); }

double symmetric_latency(const AlgorithmCall& c) { return c.step(c.inside(), Algorithm::kRing); }

}  // namespace

const AlgorithmRecord kSymmetricRecord{.algorithm = Algorithm::kSymmetric,
                                       .name = "symmetric",
                                       .graph = &Communicator::ring,
                                       .implemented = &symmetric_implemented,
                                       .supported = &symmetric_supported,
                                       .buffer_share = &symmetric_buffer_share,
                                       .latency = &symmetric_latency};

}  // namespace vgsim::collectives::nccl
