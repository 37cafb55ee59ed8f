#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/calibration/logs/nccl/nccl_hosts.hpp"
#include "models/calibration/logs/nccl/nccl_messages.hpp"
#include "models/calibration/logs/nccl/nccl_phrases.hpp"

namespace vgsim::calibration::logs {

/// Collects the communicators of all ranks. One thread sets up each rank: its messages about
/// channels belong to the communicator that it began last, or completes next.
class NcclCommunicators {
 public:
  void tell(std::string_view thread, const NcclProcess& process, const CommPhrase& phrase);
  void tell(std::string_view thread, const RingPhrase& phrase);
  void tell(std::string_view thread, const NcclProcess& process, std::vector<NcclTree> trees);
  void tell(std::string_view thread, const ChannelsPhrase& phrase);

  /// All communicators, with corrected host names. Call it once, after all messages.
  [[nodiscard]] std::vector<NcclCommunicator> all(const NcclHosts& hosts);

 private:
  /// The messages of a thread since it last completed a communicator.
  struct Open {
    std::optional<std::size_t> communicator;
    std::optional<std::size_t> nodes;
    std::optional<std::size_t> rank;
    NcclProcess process;
    std::vector<NcclRing> rings;
    std::optional<std::size_t> channels;  ///< from the numbers of the rings
    std::vector<NcclTree> trees;
    ChannelsPhrase counts;
    bool is_empty = true;
  };
  struct Member {
    NcclRank rank;
    NcclProcess process;
  };
  struct Growing {
    NcclCommunicator stated;
    std::map<std::size_t, Member> members;
  };

  Open& open_of(std::string_view thread);
  std::size_t communicator_of(const CommPhrase& phrase);
  std::size_t next_without_id(std::size_t size, const std::string& color, std::size_t rank);
  void add_member(std::size_t communicator, NcclRank rank, const NcclProcess& process);
  void close(Open& open);
  void join_loose_ranks();

  std::vector<Growing> all_;
  std::unordered_map<std::string, std::size_t> by_id_;
  /// Communicators without an id, by size and colour.
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> by_size_;
  /// The number of such communicators for each rank.
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::size_t> times_;
  std::map<std::string, Open, std::less<>> open_;
};

}  // namespace vgsim::calibration::logs
