#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/logs/nccl/nccl_messages.hpp"

/// NCCL's messages about communicators and their connections.
namespace vgsim::calibration::logs {

inline constexpr std::size_t kMaxNcclRanks = 1'000'000;
inline constexpr std::size_t kMaxNcclChannels = 4096;

/// The address in the number that NCCL makes of its digits: "0000:8d:00.0" for 0x8d000. Empty for 0
/// and impossible numbers.
[[nodiscard]] std::string nccl_bus_id(std::uint64_t number);

/// "comm 0x5f00 rank 1 nranks 4 cudaDev 1 nvmlDev 1 busId 1c000 commId 0x75 - Init COMPLETE"
struct CommPhrase {
  enum class Event { kStart, kComplete, kOther };
  Event event = Event::kOther;
  NcclRank rank;  ///< without its host
  std::size_t size = 0;
  std::optional<std::size_t> nodes;
  std::string id;
  std::string color;  ///< colour of a split
};
[[nodiscard]] std::optional<CommPhrase> comm_in(std::string_view text);

/// "Channel 00/24 :    0   7   6   5", or without the number of channels.
struct RingPhrase {
  NcclRing ring;
  std::optional<std::size_t> channels;
};
[[nodiscard]] std::optional<RingPhrase> ring_in(std::string_view text);

/// "Trees [0] 1/8/-1->0->-1 [1] -1/-1/-1->0->7"; from 2.4 on, in either direction.
[[nodiscard]] std::vector<NcclTree> trees_in(std::string_view text);

/// "Channel 00/0 : 9[1] -> 0[0] [receive] via NET/IBext/4/GDRDMA". "CollNet 00 : 0 [send] via
/// COLLNET/SHARP/0" has no ranks.
struct ConnectionPhrase {
  std::optional<std::size_t> from;
  std::optional<std::size_t> to;
  std::string transport;  ///< NcclTransport::name
};
[[nodiscard]] std::optional<ConnectionPhrase> connection_in(std::string_view text);

/// "16 coll channels, 16 nvls channels, 16 p2p channels, 2 p2p channels per peer"
struct ChannelsPhrase {
  std::optional<std::size_t> coll;
  std::optional<std::size_t> nvls;
  std::optional<std::size_t> p2p;
  std::optional<std::size_t> p2p_per_peer;
};
[[nodiscard]] std::optional<ChannelsPhrase> channels_in(std::string_view text);

}  // namespace vgsim::calibration::logs
