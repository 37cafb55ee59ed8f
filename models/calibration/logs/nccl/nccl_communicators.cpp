#include "models/calibration/logs/nccl/nccl_communicators.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace vgsim::calibration::logs {
namespace {

using Event = CommPhrase::Event;

/// The first value counts.
void fill(std::optional<std::size_t>& value, const std::optional<std::size_t>& stated) {
  if (!value) value = stated;
}

}  // namespace

NcclCommunicators::Open& NcclCommunicators::open_of(std::string_view thread) {
  const auto known = open_.find(thread);
  return known != open_.end() ? known->second : open_[std::string(thread)];
}

/// A thread initialises one communicator at a time: its messages between start and completion
/// belong to that one. Communicators are identified by id; old releases print none, and then the
/// n-th communicator of a size that a rank completes is the n-th of the other ranks.
void NcclCommunicators::tell(std::string_view thread, const NcclProcess& process,
                             const CommPhrase& phrase) {
  Open& open = open_of(thread);
  if (phrase.nodes) {
    open.nodes = phrase.nodes;
    open.rank = phrase.rank.rank;
    open.process = process;
    open.is_empty = false;
  }
  // The start of a split has no id, but its completion has.
  const bool begins = phrase.event == Event::kStart && !phrase.id.empty();
  if (begins) close(open);
  if (!begins && phrase.event != Event::kComplete) return;
  const std::size_t communicator = communicator_of(phrase);
  add_member(communicator, phrase.rank, process);
  open.communicator = communicator;
  if (!begins) close(open);
}

void NcclCommunicators::tell(std::string_view thread, const RingPhrase& phrase) {
  Open& open = open_of(thread);
  open.rings.push_back(phrase.ring);
  fill(open.channels, phrase.channels);
  open.rank = 0;
  open.is_empty = false;
}

void NcclCommunicators::tell(std::string_view thread, const NcclProcess& process,
                             std::vector<NcclTree> trees) {
  if (trees.empty()) return;
  Open& open = open_of(thread);
  open.rank = trees.front().rank;
  open.process = process;
  open.trees.insert(open.trees.end(), std::make_move_iterator(trees.begin()),
                    std::make_move_iterator(trees.end()));
  open.is_empty = false;
}

void NcclCommunicators::tell(std::string_view thread, const ChannelsPhrase& phrase) {
  Open& open = open_of(thread);
  open.counts = phrase;
  open.is_empty = false;
}

std::size_t NcclCommunicators::communicator_of(const CommPhrase& phrase) {
  if (phrase.id.empty()) return next_without_id(phrase.size, phrase.color, phrase.rank.rank);
  const auto [known, is_new] = by_id_.try_emplace(phrase.id, all_.size());
  if (is_new) {
    all_.emplace_back();
    all_.back().stated.id = phrase.id;
    all_.back().stated.size = phrase.size;
  }
  return known->second;
}

std::size_t NcclCommunicators::next_without_id(std::size_t size, const std::string& color,
                                               std::size_t rank) {
  auto& like = by_size_[{size, color}];
  const std::size_t time = times_[{size, color, rank}]++;
  if (time == like.size()) {
    like.push_back(all_.size());
    all_.emplace_back();
    if (size > 0) all_.back().stated.size = size;
  }
  return like[time];
}

void NcclCommunicators::add_member(std::size_t communicator, NcclRank rank,
                                   const NcclProcess& process) {
  const std::size_t number = rank.rank;
  all_[communicator].members.try_emplace(number, Member{std::move(rank), process});
}

void NcclCommunicators::close(Open& open) {
  const Open stated = std::exchange(open, {});
  if (stated.is_empty) return;
  std::size_t communicator = 0;
  if (stated.communicator) {
    communicator = *stated.communicator;
  } else {
    if (!stated.rank) return;
    communicator = next_without_id(0, {}, *stated.rank);
    add_member(communicator, {*stated.rank, {}, {}, {}}, stated.process);
  }
  NcclCommunicator& into = all_[communicator].stated;
  into.rings.insert(into.rings.end(), stated.rings.begin(), stated.rings.end());
  into.trees.insert(into.trees.end(), stated.trees.begin(), stated.trees.end());
  fill(into.nodes, stated.nodes);
  fill(into.channels, stated.channels ? stated.channels : stated.counts.coll);
  fill(into.nvls_channels, stated.counts.nvls);
  fill(into.p2p_channels, stated.counts.p2p);
  fill(into.p2p_channels_per_peer, stated.counts.p2p_per_peer);
}

/// Ranks without a completion in the log are those missing in the largest communicator, if that is
/// possible.
void NcclCommunicators::join_loose_ranks() {
  const auto loose = by_size_.find({0, {}});
  if (loose == by_size_.end() || loose->second.size() != 1) return;
  const std::size_t from = loose->second.front();
  std::size_t into = from;
  for (std::size_t c = 0; c < all_.size(); ++c) {
    if (all_[c].stated.size.value_or(0) > all_[into].stated.size.value_or(0)) into = c;
  }
  const auto& members = all_[from].members;
  const bool fits =
      into != from && std::ranges::all_of(members, [&](const auto& member) {
        return member.first < *all_[into].stated.size && !all_[into].members.contains(member.first);
      });
  if (!fits) return;
  all_[into].members.merge(all_[from].members);
  NcclCommunicator& lost = all_[from].stated;
  NcclCommunicator& kept = all_[into].stated;
  kept.rings.insert(kept.rings.end(), lost.rings.begin(), lost.rings.end());
  kept.trees.insert(kept.trees.end(), lost.trees.begin(), lost.trees.end());
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(from));
}

std::vector<NcclCommunicator> NcclCommunicators::all(const NcclHosts& hosts) {
  for (auto& [thread, open] : open_) close(open);
  join_loose_ranks();
  std::vector<NcclCommunicator> communicators;
  for (Growing& growing : all_) {
    for (auto& [number, member] : growing.members) {
      member.rank.host = hosts.meant(member.process);
      growing.stated.ranks.push_back(std::move(member.rank));
    }
    communicators.push_back(std::move(growing.stated));
  }
  return communicators;
}

}  // namespace vgsim::calibration::logs
