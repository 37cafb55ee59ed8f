#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/collectives/nccl/decision.hpp"
#include "models/collectives/nccl/tuning/cost_model.hpp"
#include "models/collectives/nccl/tuning/work_split.hpp"

namespace vgsim::collectives::nccl {

/// NCCL's decisions on equal hosts before the first transfer.
struct Outcome {
  std::string topology;  ///< name of the machine's description
  std::size_t hosts = 1;
  std::size_t ranks_per_host = 0;
  Constants constants;
  Decision decision;
  Communicator communicator;
  CostTable costs;
};

/// Decides for `hosts` copies of the machine. Throws std::invalid_argument as decide() does.
[[nodiscard]] Outcome outcome_of(std::string topology, const Machine& machine, std::size_t hosts,
                                 const Constants& constants, const Settings& settings);

/// One call: its algorithm, the alternatives, and its work distribution.
struct Call {
  Bytes size{};
  std::vector<Candidate> candidates;  ///< best first; empty for one rank and if all are forbidden
  WorkSplit work;                     ///< of the first
  double busbw_GBps = 0;              ///< of the first, NCCL's prediction
};
[[nodiscard]] Call call_of(const Outcome& outcome, Function function, Bytes size);

/// A range of sizes, beginning at `first`, with the same algorithm and protocol.
struct Stretch {
  Bytes first{}, last{};
  Candidate choice;  ///< with the time of the last size
};
/// The choices from 4 B to 16 GiB at powers of two.
[[nodiscard]] std::vector<Stretch> stretches_of(const Outcome& outcome, Function function);

}  // namespace vgsim::collectives::nccl
