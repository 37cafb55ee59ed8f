#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace vgsim::probe {

/// The place of this process in a job.
struct JobPlace {
  std::size_t rank = 0;
  std::size_t ranks = 1;
  std::size_t local_rank = 0;  ///< on its machine: index of its GPU
  std::string leader_address;  ///< of rank 0
  std::uint16_t leader_port = 0;
};

/// Value of an environment variable; nullptr if unset.
using Environment = std::function<const char*(const char* name)>;

/// From the variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK), of Open MPI, MPICH and
/// relatives, or of Slurm. MASTER_ADDR and MASTER_PORT are the address of rank 0; by default
/// this machine, and port 29511. Nothing for a single process. Throws std::invalid_argument for
/// values that are not numbers, or a rank beyond the number of ranks.
[[nodiscard]] std::optional<JobPlace> job_place(const Environment& environment);

}  // namespace vgsim::probe
