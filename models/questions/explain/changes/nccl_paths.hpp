#pragma once

#include <optional>
#include <string>

#include "models/questions/explain/change.hpp"

namespace vgsim::scenario {

/// What NCCL's connections between the ranks of a job use. All false for ranks that do not
/// communicate.
struct NcclPaths {
  bool several_nodes = false;
  bool splits_hosts = false;       ///< GPUs of one machine communicate through NICs
  bool below_switches = false;     ///< peer-to-peer over PCIe switches: of GPUs, or GPU and NIC
  bool through_roots = false;      ///< the same through a root complex or between sockets
  bool host_memory = false;        ///< GPUs of a node exchange data through host memory (SHM)
  bool allows_peers = false;       ///< some machines allow peer-to-peer over PCIe
  bool without_gpudirect = false;  ///< GPUs whose nearest NICs do not read and write their memory
  bool only_receives = false;      ///< GPUs whose nearest NICs write their memory, but do not read
  bool relays = false;             ///< GPUs send to their nearest NICs through another GPU (PXN)
  bool relays_to_rails = false;    ///< GPUs send to other NICs through another GPU (PXN)
  bool search_failed = false;      ///< NCCL's search found no rings or no trees
};

[[nodiscard]] NcclPaths nccl_paths(const ChangeContext& at);

/// Another choice of NCCL for the largest message of a collective, or for a gradient bucket of mean
/// size of a data-parallel job.
struct OtherChoice {
  std::string variable;  ///< that makes NCCL use it: "NCCL_ALGO", or "NCCL_PROTO"
  std::string value;     ///< "Ring"
  std::string now;       ///< NCCL's choice: "Tree LL128"
  std::string other;     ///< "Ring LL128"
};

/// The runner-up of NCCL's choice. One variable selects it: it is the best of all other choices, so
/// also the best of its algorithm, or of its protocol. Nothing if NCCL does not choose, has no
/// other choice, or the choice is not known.
[[nodiscard]] std::optional<OtherChoice> runner_up_of(const ChangeContext& at);

/// Whether NCCL's choice there is known, and has protocol Simple.
[[nodiscard]] bool takes_simple(const ChangeContext& at);

}  // namespace vgsim::scenario
