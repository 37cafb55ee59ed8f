#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/nccl/algorithm.hpp"
#include "sim/units.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::collectives::nccl {

/// In the order in which NCCL breaks ties.
enum class Protocol : std::uint8_t { kLl, kLl128, kSimple };
inline constexpr std::size_t kProtocols = 3;

/// "LL", "LL128", "Simple".
[[nodiscard]] const char* to_string(Protocol protocol);

/// An NCCL release: "2.30.7". The patch kLastPatch means the last patch of a minor release: "2.17".
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const Version&) const = default;
};
inline constexpr int kLastPatch = 9999;
/// "2.30.7", or "2.17".
[[nodiscard]] std::string to_string(const Version& version);
/// Parses "2.30.7", "2.17" or "v2.30.7-1"; nothing if the text is not a version.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);

/// The row of a GPU in NCCL's tables.
using Generation = topology::GpuGeneration;
inline constexpr std::size_t kGenerations = topology::kGpuGenerations;

/// The kind of link of a step in NCCL's latency tables.
enum class StepKind : std::uint8_t { kNvLink, kPci, kNet };
inline constexpr std::size_t kStepKinds = 3;

/// By number of nodes: one, two, more.
using ByNodes = std::array<double, 3>;
/// By protocol.
using ByProtocol = std::array<double, kProtocols>;

/// Maximum numbers of steps of NCCL's search.
struct SearchBudget {
  std::int64_t search = 0;         ///< one search
  std::int64_t same_channels = 0;  ///< one search that repeats the first channel
  std::int64_t trees = 0;          ///< one search for trees
  std::int64_t total = 0;          ///< all searches of one graph

  bool operator==(const SearchBudget&) const = default;
};

/// Factors on bandwidths in NCCL's cost model; 0 if a release has no such factor.
struct BandwidthFactors {
  double ring_ll = 0;
  double ring_ll_inside_one_node = 0;  ///< instead, for AllGather, ReduceScatter and Broadcast
  double ring_ll128 = 0;
  double ring_ll128_one_gpu_nodes = 0;  ///< instead, if every node has one GPU
  double tree = 0;
  double tree_ll = 0;
  double tree_ll128 = 0;
  double tree_ll128_one_node = 0;
  double tree_chain = 0;  ///< trees that are one chain inside a node (Pattern::kTree)
  double collnet_chain = 0;
  double collnet_direct_sm90 = 0;
  double nvls = 0;       ///< algorithm bandwidth for each unit of bus bandwidth
  double nvls_tree = 0;  ///< the same; times N / (2 (N - 1))
  double pat = 0;
  double ring_plateau_below_sm80 = 1;  ///< on the latency of large Simple rings over the network
  double ring_plateau_from_sm80 = 1;

  bool operator==(const BandwidthFactors&) const = default;
};

/// NCCL's distribution of a collective's work.
struct WorkConstants {
  std::int64_t slots = 8;                  ///< of the buffer of a connection (NCCL_STEPS)
  std::array<Bytes, kProtocols> buffer{};  ///< of a connection
  std::int64_t ring_simple_slots_per_chunk = 4;
  std::int64_t ring_simple_slots_per_slice = 2;
  Bytes nvls_chunk{};                     ///< maximum of a step of NVLS
  std::array<int, kProtocols> threads{};  ///< maximum of a ring or tree channel
  int threads_simple_slow_ring = 0;
  BytesPerSecond slow_ring{};  ///< a ring is slow up to this bus bandwidth inside a node
  int threads_all = 0;         ///< of algorithms that always use all threads
  /// fewer bytes per thread reduce the number of threads
  std::array<std::int64_t, kProtocols> bytes_per_thread{};
  std::int64_t bytes_per_thread_collnet = 0;
  std::optional<Bytes> least_traffic_per_channel;  ///< nothing: channels get equal shares

  bool operator==(const WorkConstants&) const = default;
};

/// The constants of NCCL's search and cost model in one release, in GB/s (10^9) and us.
///
/// They predict NCCL's decisions, not durations.
struct Constants {
  Version version;  ///< the requested version
  Version release;  ///< the listed release of these values, not after `version`

  // Links, in GB/s per direction, as the search counts them.
  double local = 5000;
  std::map<int, double> nvlink_per_link;  ///< by sm; see nvlink()
  double nvlink_default = 20;             ///< below the first of those
  double intel_broadwell = 6;             ///< between Intel sockets, up to Broadwell
  double intel_skylake = 10;              ///< Skylake to Ice Lake
  double intel_sapphire_rapids = 10;
  double intel_granite_rapids = 10;  ///< and Sierra Forest
  double intel_emerald_rapids = 10;
  double amd = 16;  ///< between AMD sockets of Zen 1 and 2; `local` if NCCL sets no limit
  double amd_zen3_4 = 16;
  double amd_zen5 = 16;
  double zhaoxin = 6;
  double zhaoxin_yongfeng = 9;
  double power9 = 32;
  double arm = 6;
  double nic_default = 1.25;  ///< of a NIC with unknown speed

  // Speeds that the search tries, fastest first.
  std::vector<double> speeds_intra, speeds_inter;              ///< below sm90
  std::vector<double> speeds_intra_sm90, speeds_inter_sm90;    ///< empty before 2.16
  std::vector<double> speeds_intra_sm100, speeds_inter_sm100;  ///< empty before 2.25
  int max_channels = 32;                                       ///< NCCL's MAXCHANNELS
  SearchBudget budget;

  // Cost model.
  std::array<bool, kAlgorithms> has_algorithm{};
  std::array<ByProtocol, kAlgorithms> base_latency{};
  std::array<std::array<ByProtocol, kAlgorithms>, kStepKinds> step_latency{};
  /// On one node, the row of the GPU's generation. On several nodes, that of Ampere with AMD CPUs,
  /// else that of Volta.
  std::array<ByNodes, kGenerations> ll_max{};
  std::array<ByNodes, kGenerations> tree_channel_max{};
  std::array<ByNodes, kGenerations> ring_ll128_channel_max{};
  std::array<ByNodes, kGenerations> tree_ll128_channel_max{};
  std::array<ByNodes, kGenerations> nvls_tree_channel_max{};  ///< 0: no cap
  std::array<double, kGenerations> nvls_efficiency{};
  std::array<std::vector<double>, kProtocols> tree_correction;  ///< by log2(bytes / 64)
  std::vector<double> nvls_tree_correction;  ///< the same from sm100 on x86; empty: none
  double ampere_bus_max = 0;                 ///< of every algorithm on sm80; 0: no cap
  double ll_inside_nodes_times = 1;    ///< on LL's step inside a node, if there are several nodes
  double collnet_direct_per_peer = 0;  ///< us
  double network_overhead_amd = 0;     ///< us per step inside a node, if there are several nodes
  double network_overhead_other = 0;   ///< between CPUs that are not AMD's
  double network_overhead_simple_times = 1;
  double pat_per_rank = 0;  ///< us
  double pat_network_divisor = 1;
  BandwidthFactors factors;

  WorkConstants work;

  bool operator==(const Constants&) const = default;
};

/// GB/s of one NVLink of a GPU, per direction, as used by the search: the value of the greatest
/// listed sm up to the GPU's; sm86 applies to itself only.
[[nodiscard]] double nvlink_bandwidth(const Constants& constants, int sm);

}  // namespace vgsim::collectives::nccl
