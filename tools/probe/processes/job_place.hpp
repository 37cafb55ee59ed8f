#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace vgsim::probe {

/// Which process of a job this one is.
struct JobPlace {
  std::size_t rank = 0;
  std::size_t ranks = 1;
  std::size_t local_rank = 0;  ///< on its machine: the GPU that it uses
  std::string leader_address;  ///< of rank 0
  std::uint16_t leader_port = 0;
};

/// Value of an environment variable; nullptr where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// As torchrun sets it (RANK, WORLD_SIZE, LOCAL_RANK), or Open MPI, MPICH and its kind, or Slurm.
/// MASTER_ADDR and MASTER_PORT say where rank 0 is; else this machine, and port 29511. Nothing
/// where this process is alone. Throws std::invalid_argument for values that are no numbers, or a
/// rank beyond the number of ranks.
[[nodiscard]] std::optional<JobPlace> job_place(const Environment& environment);

}  // namespace vgsim::probe
