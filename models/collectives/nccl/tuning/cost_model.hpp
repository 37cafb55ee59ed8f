#pragma once

#include <array>
#include <vector>

#include "models/collectives/nccl/tuning/algorithm_filter.hpp"
#include "models/collectives/nccl/tuning/communicator.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives::nccl {

/// The prediction of NCCL's cost model for one algorithm and protocol.
struct Cost {
  double latency_us = 0;
  double bandwidth = 0;  ///< GB/s of the buffer (algorithm bandwidth); 0: not used
};

/// NCCL's cost model of one communicator, by function, algorithm and protocol.
struct CostTable {
  std::array<std::array<std::array<Cost, kProtocols>, kAlgorithms>, kFunctions> costs{};

  [[nodiscard]] const Cost& of(Function function, Algorithm algorithm, Protocol protocol) const {
    return costs[static_cast<std::size_t>(function)][static_cast<std::size_t>(algorithm)]
                [static_cast<std::size_t>(protocol)];
  }
};

/// Fills the table as NCCL does when a communicator is created. All bandwidths are 0 for one rank.
///
/// Before 2.24 NCCL ignores a filter that leaves a function without algorithms. From then on it
/// refuses such a call, and all bandwidths of the function are 0.
[[nodiscard]] CostTable cost_table(const Communicator& communicator, const Constants& constants,
                                   const AlgorithmFilter& filter = {});

/// An algorithm with a protocol, and NCCL's predicted time.
struct Candidate {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  double us = 0;

  bool operator==(const Candidate&) const = default;
};

/// All candidates for a call of `size` bytes (the whole buffer: of each rank at the end of
/// AllGather and at the start of ReduceScatter). The first is NCCL's choice, the second the
/// runner-up. Equal times are in the order of Algorithm, then Protocol.
[[nodiscard]] std::vector<Candidate> candidates(const CostTable& table, Function function,
                                                Bytes size, const Communicator& communicator,
                                                const Constants& constants);

/// Bus bandwidth in GB/s of `size` bytes in `us`, as nccl-tests computes it.
[[nodiscard]] double bus_bandwidth_of(Function function, Bytes size, double us, int ranks);

}  // namespace vgsim::collectives::nccl
