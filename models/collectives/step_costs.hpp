#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>

#include "models/calibration/parameters.hpp"
#include "models/collectives/nccl/constants.hpp"
#include "models/collectives/transport.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives {

template <class T>
using ByTransport = std::array<T, kTransports>;
template <class T>
using ByNcclProtocol = std::array<T, nccl::kProtocols>;
template <class T>
using ByGeneration = std::array<T, nccl::kGenerations>;

/// What the steps of a collective cost apart from the bytes on links. Everything zero and nothing
/// limited by default: an ideal machine.
struct StepCosts {
  /// Chunks take time to fill a pipeline, and connections have so many slots as NCCL gives them.
  bool fills_pipelines = false;
  bool instant_links = false;      ///< neither links nor switches take time of their own
  ByGeneration<SimTime> launch{};  ///< of one call: launch, start and end of the kernel
  /// What one thread of the host needs for that on each GPU that it launches for.
  SimTime thread_launch{};
  SimTime thread_channel{};  ///< beside that, for each channel
  SimTime thread_peer{};     ///< and in AllToAll for each peer
  /// From the end of one rank's step to the start of the next rank's; of LL over NVLink by
  /// generation.
  ByTransport<ByNcclProtocol<SimTime>> step{};
  ByGeneration<SimTime> nvlink_ll_step{};
  /// Of rings and trees inside one node with protocols LL128 and Simple, beside their launch and
  /// steps; the steps of a network hold it.
  ByGeneration<SimTime> bulk{};
  SimTime peer_call{};           ///< of each peer in AllToAll
  ByGeneration<SimTime> nvls{};  ///< a reduction and a broadcast in the NVSwitch
  /// Between two rounds of chunks there, while nothing moves.
  ByGeneration<SimTime> nvls_turnaround{};
  SimTime in_network{};  ///< a reduction in the network's switches (SHARP)

  /// Payload that one channel's thread block moves, in bytes/s; nothing: no limit.
  ByGeneration<ByNcclProtocol<std::optional<Ratio>>> channel_rate{};
  /// What a channel copies of its rank's own part, in GPU memory or from host memory behind a NIC.
  ByGeneration<std::optional<Ratio>> copy_rate{};
  ByGeneration<std::optional<Ratio>> staged_copy_rate{};
  /// What a rank of AllToAll copies of its own part, to itself.
  ByGeneration<std::optional<Ratio>> own_copy_rate{};
  /// What a channel's TCP connection carries, in bytes/s.
  std::optional<Ratio> tcp_channel_rate;
  /// What a channel sends to the NVSwitch, and receives, in reductions there, in bytes/s.
  ByGeneration<std::optional<Ratio>> nvls_channel_rate{};
  /// Of what NVLinks carry otherwise, that reductions in the NVSwitch reach.
  ByGeneration<double> nvls_share{1.0, 1.0, 1.0, 1.0};
  ByGeneration<double> nvls_tree_share{1.0, 1.0, 1.0, 1.0};  ///< the same with trees between nodes
  double in_network_share = 1.0;  ///< of a NIC's port, that reductions in the network reach
  /// The same for Send and Recv, whose blocks share channels.
  ByGeneration<double> peer_share{1.0, 1.0, 1.0, 1.0};

  /// GPUs have only that share of time for collectives, and begin after a wait.
  void share_time(double share, SimTime wait);

  /// `latency`: steps take time; `limits`: thread blocks and switches limit rates.
  [[nodiscard]] static StepCosts from(const calibration::Parameters& parameters, bool latency,
                                      bool limits);
};

/// How names of parameters begin that are about such hops: "rdma".
[[nodiscard]] const char* parameter_word(Transport transport);

/// The parameters that StepCosts::from reads but that say nothing of ranks whose GPUs are of these
/// generations and whose hops are of these kinds.
[[nodiscard]] std::set<std::string> foreign_parameters(
    const std::set<nccl::Generation>& generations, const std::set<Transport>& transports);

/// What carries a byte of payload on the wire: 2 for LL (4 bytes of data, 4 of flag), 16/15 for
/// LL128 (120 of 128 bytes), 1 for Simple. Source: NVIDIA/nccl src/device/prims_ll.h and
/// prims_ll128.h.
[[nodiscard]] Ratio wire_factor(nccl::Protocol protocol);

}  // namespace vgsim::collectives
