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

/// Costs of the steps of a collective other than bytes on links. The default is an ideal machine:
/// zero costs and no limits.
struct StepCosts {
  /// Whether chunks take time to fill a pipeline, with as many slots for a connection as NCCL
  /// provides.
  bool fills_pipelines = false;
  bool instant_links = false;      ///< links and switches add no latency
  ByGeneration<SimTime> launch{};  ///< of one call: launch, start and end of the kernel
  /// Launch time of one host thread for each GPU that it launches for.
  SimTime thread_launch{};
  SimTime thread_channel{};  ///< in addition, for each channel
  SimTime thread_peer{};     ///< in addition, for each peer in AllToAll
  /// From the end of one rank's step to the start of the next rank's. The second one is for LL over
  /// NVLink.
  ByTransport<ByNcclProtocol<SimTime>> step{};
  ByGeneration<SimTime> nvlink_ll_step{};
  /// Additional time of rings and trees inside one node with protocols LL128 and Simple. With
  /// network steps it is included in `step`.
  ByGeneration<SimTime> bulk{};
  SimTime tcp_message{};         ///< of the thread that sends the messages of a rank by TCP
  SimTime peer_call{};           ///< for each peer in AllToAll
  ByGeneration<SimTime> nvls{};  ///< for a reduction and a broadcast in the NVSwitch
  /// Idle time between two rounds of chunks in the NVSwitch.
  ByGeneration<SimTime> nvls_turnaround{};
  SimTime in_network{};  ///< for a reduction in the network's switches (SHARP)

  /// Limit of one channel's thread block, in bytes/s of payload; nothing: no limit.
  ByGeneration<ByNcclProtocol<std::optional<Ratio>>> channel_rate{};
  /// Rate at which a channel copies its rank's own part in GPU memory.
  ByGeneration<std::optional<Ratio>> copy_rate{};
  /// Rate at which a channel reads from a NIC's buffer in host memory over PCIe, and how many times
  /// as fast it is with EFA.
  ByGeneration<std::optional<Ratio>> staged_read_rate{};
  Ratio efa_staged_read_factor{1};
  /// Rate at which a rank of AllToAll copies its own part to itself.
  ByGeneration<std::optional<Ratio>> own_copy_rate{};
  /// Limit of a channel's TCP connection, in bytes/s.
  std::optional<Ratio> tcp_channel_rate;
  /// Limit of a channel to and from the NVSwitch in reductions there, in bytes/s.
  ByGeneration<std::optional<Ratio>> nvls_channel_rate{};
  /// Share of the NVLink bandwidth that reductions in the NVSwitch reach.
  ByGeneration<double> nvls_share{1.0, 1.0, 1.0, 1.0};
  ByGeneration<double> nvls_tree_share{1.0, 1.0, 1.0, 1.0};  ///< the same with trees between nodes
  double in_network_share = 1.0;  ///< share of a NIC's port that reductions in the network reach
  /// The same for Send and Recv, whose thread blocks share channels.
  ByGeneration<double> peer_share{1.0, 1.0, 1.0, 1.0};

  /// Limits collectives to a share of the GPU's time, and delays their start by `wait`.
  void share_time(double share, SimTime wait);

  /// `latency`: steps take time; `limits`: thread blocks and switches limit rates.
  [[nodiscard]] static StepCosts from(const calibration::Parameters& parameters, bool latency,
                                      bool limits);
};

/// The prefix of parameter names for such hops: "rdma".
[[nodiscard]] const char* parameter_word(Transport transport);

/// The parameters that StepCosts::from reads but that do not apply to ranks with GPUs of these
/// generations and hops of these kinds.
[[nodiscard]] std::set<std::string> foreign_parameters(
    const std::set<nccl::Generation>& generations, const std::set<Transport>& transports);

/// Bytes on the wire for each byte of payload: 2 for LL (4 bytes of data, 4 of flag), 16/15 for
/// LL128 (120 of 128 bytes), 1 for Simple. Source: NVIDIA/nccl src/device/prims_ll.h and
/// prims_ll128.h.
[[nodiscard]] Ratio wire_factor(nccl::Protocol protocol);

}  // namespace vgsim::collectives
