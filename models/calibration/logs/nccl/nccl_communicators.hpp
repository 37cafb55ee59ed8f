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

/// Puts together what the ranks tell of their communicators. Each rank is set up by one thread:
/// what that tells of channels belongs to the communicator that it last began, or next completes.
class NcclCommunicators {
 public:
  void tell(std::string_view thread, const NcclProcess& process, const CommPhrase& phrase);
  void tell(std::string_view thread, const RingPhrase& phrase);
  void tell(std::string_view thread, const NcclProcess& process, std::vector<NcclTree> trees);
  void tell(std::string_view thread, const ChannelsPhrase& phrase);

  /// All of them, with the names of hosts that are meant. To be called once, when all is told.
  [[nodiscard]] std::vector<NcclCommunicator> all(const NcclHosts& hosts);

 private:
  /// What a thread has told since it last completed a communicator.
  struct Open {
    std::optional<std::size_t> communicator;
    std::optional<std::size_t> nodes;
    std::optional<std::size_t> rank;
    NcclProcess process;
    std::vector<NcclRing> rings;
    std::optional<std::size_t> channels;  ///< as the rings are numbered
    std::vector<NcclTree> trees;
    ChannelsPhrase counts;
    bool is_empty = true;
  };
  struct Member {
    NcclRank rank;
    NcclProcess process;
  };
  struct Growing {
    NcclCommunicator told;
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
  /// Of those without an id, by size and color.
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> by_size_;
  /// How often a rank has told of such a one.
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::size_t> times_;
  std::map<std::string, Open, std::less<>> open_;
};

}  // namespace vgsim::calibration::logs
