#pragma once

#include <nccl.h>

#include <string>
#include <vector>

#include "tests/tools/probe/cuda/registry.hpp"

/// State of the fake NCCL.
namespace vgsim::fake::nccl {

struct Rank {
  int clique;  ///< the communicator that it is of
  int rank;
  int ranks;
  int own;  ///< ranks of it in this process
  int gpu;
  double rate;
};

/// A call of one rank. A transfer has a peer.
struct Call {
  std::string name;
  Rank rank;
  std::size_t bytes;  ///< argument of the call, for the whole buffer
  int peer;
  CUstream stream;
};

struct Library {
  ~Library() {
    report_live(ranks);
    if (depth != 0) misuse("NCCL: a group that does not end");
  }
  Registry<Rank, ncclComm_t> ranks{"ncclComm_t"};
  int cliques = 0;
  int depth = 0;
  std::vector<Call> calls;  ///< of the open group
};

[[nodiscard]] Library& library();

}  // namespace vgsim::fake::nccl
