#pragma once

#include <cstdint>

#include "models/collectives/nccl/constants.hpp"

namespace vgsim::collectives::nccl {

/// The order of the NETs from which the search starts a channel.
enum class NetOrder : std::uint8_t {
  kAsListed,     ///< all NETs, in the order of the machine (before 2.12)
  kByDistance,   ///< nearest first, rotated by the GPU's number (2.12 to 2.16)
  kOfGpusFirst,  ///< those that the GPUs prefer, then the others, nearest first
};

/// The GPUs, among those nearest to the NET, from which the search starts a channel.
enum class StartGpu : std::uint8_t {
  kIdleFirst,  ///< GPUs with remaining PCI capacity, then the others (up to 2.17)
  kRotating,   ///< from the index of the channel on (2.18 to 2.26)
  kOwnFirst,   ///< the GPU that the NET belongs to, then the others
};

/// When the search repeats the previous channel.
enum class Replay : std::uint8_t {
  kAlways,       ///< then tries others, unless channels must be equal
  kIfEqualOnly,  ///< only if channels must be equal (from 2.27)
};

/// Differences between releases in NCCL's detection and search. Names state what is true; rules.cpp
/// contains the release that introduced each.
struct Rules {
  // Detection.
  bool device_nodes = false;  ///< a GPU with a rank is attached to a separate device node
  bool bcm_gen5_flattened = false;
  bool c2c_type = false;  ///< a separate link type for GPU to CPU; before, an NVLink
  bool p2c_type = false;  ///< a separate path type for PCI and C2C
  bool best_type_paths =
      false;  ///< the best type of path wins, then speed; before, the fewest hops
  bool pxn = false;
  bool pxn_needs_gdr = false;
  bool net_inside_host = false;    ///< NET instead of P2P and SHM if it is faster
  bool p2p_through_roots = false;  ///< P2P by default through root ports of AMD and Power
  /// NICs read from GPUs of sm80 and above regardless of their links
  bool gdr_read_ampere = false;
  /// a GPU's number is counted among the GPUs that share its NETs
  bool preferred_net_in_group = false;
  bool power_only_reverse = false;  ///< only on Power NVLinks to CPUs are charged twice

  // Search.
  NetOrder net_order = NetOrder::kOfGpusFirst;
  StartGpu start_gpu = StartGpu::kOwnFirst;
  Replay replay = Replay::kAlways;
  bool net_turns_with_channel = false;  ///< channel c starts at the c-th NET of the list
  bool switch_neighbours = false;       ///< with an NVSwitch only GPUs next in index are tried
  bool pci_order_first_on_switch = false;
  bool return_path_checked = false;  ///< trees also check the type of the reverse path
  bool rail_swap = false;            ///< crossNic 2: pairs of channels swap their NETs
  bool cross_nic_handicap = false;   ///< a graph across NICs must be 15 % better
  bool nearest_type_start = false;   ///< path types start at the best existing one
  bool type_inter_bounded = false;   ///< path types end at the worst between GPU and NET
  bool type_inter_unbounded_below_sm90 = false;
  bool simple_tree_sm90 = false;      ///< the plain tree is an alternative on sm90 only
  bool amd_equal_channels = false;    ///< channels over AMD's socket link are equal
  bool double_before_pass2 = false;   ///< channels are doubled before the second pass
  bool nvls_counts_inter = false;     ///< NVLS graphs also compete by speed to the NET
  bool nvls_from_net = false;         ///< an NVLS channel uses the path from its NET
  bool nvls_heads_differ = false;     ///< a GPU is head once at most
  bool split_nvlink_pairs = false;    ///< two NVLink islands need two channels
  bool total_speed_checked = false;   ///< the first speed must fit minChannels times
  bool lone_gpu_unlimited = false;    ///< total speed does not limit a node with one GPU
  bool doubling_spares_sm90 = false;  ///< see double_channels()
  bool nets_stay_inside = false;      ///< NETs stay in the graph of a single node
  int ring_channels = 16;             ///< maximum number of channels of a ring's search

  // Channels.
  bool types_by_maximum = false;  ///< ranks agree on the worst of their types; before, the best
  bool quadruple_sm90 = false;    ///< few fast channels are doubled once more on sm90
  bool nvls = false;
  bool channels_cover_nvls = false;  ///< at least as many channels as NVLS has
  int nvls_min_gpus = 3;
  int nvls_channels = 16;
  int nvls_channels_sm100 = 16;
  int nvls_channels_sm100_inter = 16;
  int nvls_channels_sm107 = 16;
  int nvls_channels_sm107_inter = 16;
};

[[nodiscard]] Rules rules_of(const Version& version);

}  // namespace vgsim::collectives::nccl
