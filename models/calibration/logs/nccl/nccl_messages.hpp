#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// A rank of a communicator. Missing properties are empty.
struct NcclRank {
  std::size_t rank = 0;
  std::string host;
  std::string bus_id;                 ///< of its GPU: "0000:3b:00.0"
  std::optional<std::size_t> device;  ///< CUDA index of its GPU
};

/// Ranks in ring order as rank 0 prints them; releases before 2.26 print the first 20.
struct NcclRing {
  std::size_t channel = 0;
  std::vector<std::size_t> ranks;
};

/// The position of a rank in the tree of a channel.
struct NcclTree {
  std::size_t channel = 0;
  std::size_t rank = 0;
  std::optional<std::size_t> parent;
  std::vector<std::size_t> children;
};

/// Communicators without an id (before 2.18) and with equally many ranks are distinguished by their
/// order only: members of groups that exist at the same time can be confused.
struct NcclCommunicator {
  std::string id;                   ///< "commId", empty before 2.18
  std::optional<std::size_t> size;  ///< "nranks"
  std::optional<std::size_t> nodes;
  std::optional<std::size_t> channels;  ///< after doubling, as numbered by rank 0
  std::optional<std::size_t> nvls_channels;
  std::optional<std::size_t> p2p_channels;
  std::optional<std::size_t> p2p_channels_per_peer;
  std::vector<NcclRank> ranks;  ///< ranks with messages, by number
  std::vector<NcclRing> rings;
  std::vector<NcclTree> trees;
};

/// Messages about the connection of one rank to another. Over a network both ranks print one.
struct NcclConnection {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string transport;  ///< NcclTransport::name
  std::size_t messages = 0;
};

/// A transport without device numbers: "P2P/IPC", "P2P/CUMEM", "SHM", "NET/IB/GDRDMA",
/// "NET/Socket", "COLLNET/SHARP".
struct NcclTransport {
  std::string name;
  std::size_t messages = 0;
};

struct NcclNic {
  std::string host;
  std::string name;                 ///< "mlx5_0", or an interface such as "eth0"
  std::optional<std::size_t> port;  ///< of InfiniBand and RoCE
  std::string link;                 ///< "IB", "IB/SHARP", "RoCE", "Socket"
};

/// A variable such as NCCL_ALGO that NCCL reports as set.
struct NcclSetting {
  std::string name;
  std::string value;
};

/// A search result: "Pattern 4, crossNic 0, nChannels 12, bw 24.0/24.0, type NVL/PIX".
struct NcclGraph {
  std::size_t pattern = 0;
  std::size_t channels = 0;
  double gigabytes_per_second_intra = 0.0;  ///< of a channel, in NCCL's GB/s
  double gigabytes_per_second_inter = 0.0;
  std::string type_intra;
  std::string type_inter;

  friend bool operator==(const NcclGraph&, const NcclGraph&) = default;
};

/// An NCCL warning.
struct NcclProblem {
  std::string text;
  std::size_t times = 0;
};

/// The content of the messages of NCCL, or AMD's RCCL, with NCCL_DEBUG=INFO. Lists contain each
/// item once, in log order; at most 256 graphs, settings and problems, and 65536 NICs and pairs are
/// kept.
struct NcclMessages {
  bool is_rccl = false;
  std::vector<std::string> versions;       ///< "2.19.3"
  std::vector<std::string> cuda_versions;  ///< "12.3", or ROCm's
  std::vector<std::string> hosts;
  std::vector<NcclCommunicator> communicators;
  std::size_t ranks_seen = 0;  ///< one more than the highest rank in a message
  std::vector<NcclTransport> transports;
  std::vector<NcclConnection> connections;  ///< by ranks, of all communicators together
  std::vector<std::string> networks;        ///< "IB", "Socket", or the name of a plug-in
  std::vector<NcclNic> nics;
  std::vector<NcclSetting> settings;
  std::vector<NcclGraph> graphs;
  std::vector<NcclProblem> problems;
  std::size_t messages = 0;
};

/// The communicator with the most ranks, or null.
[[nodiscard]] const NcclCommunicator* largest_communicator(const NcclMessages& messages);

/// Whether a text contains NCCL messages.
[[nodiscard]] bool is_nccl_messages(std::string_view text);

/// Reads the messages of NCCL (https://github.com/NVIDIA/nccl) from 2.4 on and of RCCL, in any
/// order, among other lines. Launchers and NCCL can add prefixes. Truncated and overlapping
/// messages are skipped, and counted in one warning (W531). Errors: E532 no message.
[[nodiscard]] tl::expected<NcclMessages, input::Diagnostics> read_nccl_messages(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
