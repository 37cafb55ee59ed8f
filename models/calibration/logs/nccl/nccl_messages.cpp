#include "models/calibration/logs/nccl/nccl_messages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_communicators.hpp"
#include "models/calibration/logs/nccl/nccl_hosts.hpp"
#include "models/calibration/logs/nccl/nccl_line.hpp"
#include "models/calibration/logs/nccl/nccl_phrases.hpp"
#include "models/calibration/logs/nccl/nccl_surroundings.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration {
namespace {

using input::Diagnostics;

constexpr std::size_t kMostFacts = 256;
constexpr std::size_t kMostThings = 65536;

/// Adds a new item to the list, up to a maximum.
void add_once(std::vector<std::string>& list, std::string word) {
  const bool is_known = std::ranges::find(list, word) != list.end();
  if (!is_known && list.size() < kMostFacts) list.push_back(std::move(word));
}

/// Counts by key, in order of first occurrence.
template <class Key>
class Counter {
 public:
  explicit Counter(std::size_t most) : most_(most) {}

  void count(Key key) {
    const auto known = places_.find(key);
    if (known != places_.end()) {
      ++counts_[known->second].second;
    } else if (counts_.size() < most_) {
      places_.emplace(key, counts_.size());
      counts_.emplace_back(std::move(key), 1);
    }
  }

  [[nodiscard]] const std::vector<std::pair<Key, std::size_t>>& counts() const { return counts_; }

 private:
  std::size_t most_;
  std::map<Key, std::size_t> places_;
  std::vector<std::pair<Key, std::size_t>> counts_;
};

/// Ranks write to one stream, so lines can be mixed and truncated. A message is therefore parsed as
/// phrases that are either complete or absent, and repetitions by many ranks are counted, not
/// listed. Communicators are collected from the messages of their ranks' threads, see
/// NcclCommunicators.
class MessageReader {
 public:
  void read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(text.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    take_counts();
  }

  NcclMessages messages;
  std::size_t cut = 0;        ///< messages that could not be read
  std::size_t first_cut = 0;  ///< position of the first of them

 private:
  using Pair = std::tuple<std::size_t, std::size_t, std::string>;
  using NicKey = std::tuple<std::string, std::string, std::size_t>;

  void read_line(std::string_view line, std::size_t offset) {
    const auto message = logs::nccl_line_in(line);
    if (const auto version = logs::version_in(message ? message->text : line)) {
      take_version(*version);
      if (!message) ++messages.messages;
    }
    if (!message) return;
    ++messages.messages;
    const logs::NcclProcess process = logs::process_in(message->thread);
    hosts_.note(process);
    if (message->is_warning) {
      problems_.count(logs::printable_text(message->text));
    } else if (!read_setup(message->thread, process, message->text) &&
               !read_surroundings(process, message->text)) {
      note_cut(offset);
    }
  }

  void take_version(const logs::VersionPhrase& phrase) {
    messages.is_rccl = messages.is_rccl || phrase.is_rccl;
    add_once(messages.versions, phrase.version);
    if (!phrase.cuda.empty()) add_once(messages.cuda_versions, phrase.cuda);
  }

  void note_cut(std::size_t offset) {
    if (cut++ == 0) first_cut = offset;
  }

  /// Whether the text is about a communicator.
  bool read_setup(std::string_view thread, const logs::NcclProcess& process,
                  std::string_view text) {
    if (const auto connection = logs::connection_in(text)) {
      take_connection(*connection);
    } else if (const auto ring = logs::ring_in(text)) {
      for (const std::size_t rank : ring->ring.ranks) see_rank(rank);
      communicators_.tell(thread, *ring);
    } else if (const auto comm = logs::comm_in(text)) {
      see_rank(comm->rank.rank);
      communicators_.tell(thread, process, *comm);
    } else if (const auto channels = logs::channels_in(text)) {
      communicators_.tell(thread, *channels);
    } else if (auto trees = logs::trees_in(text); !trees.empty()) {
      for (const NcclTree& tree : trees) see_rank(tree.rank);
      communicators_.tell(thread, process, std::move(trees));
    } else {
      return false;
    }
    return true;
  }

  /// False if the text looks like a known message but cannot be read.
  bool read_surroundings(const logs::NcclProcess& process, std::string_view text) {
    for (NcclNic& nic : logs::nics_in(text)) take_nic(process, std::move(nic));
    if (text.starts_with("Using network ")) {
      add_once(messages.networks, logs::printable_text(logs::trimmed(text.substr(14))));
    } else if (auto setting = logs::setting_in(text)) {
      settings_.count({setting->name, setting->value});
    } else if (auto graph = logs::graph_in(text)) {
      take_graph(std::move(*graph));
    } else if (logs::contains(text, "librccl")) {
      messages.is_rccl = true;
    } else {
      return !text.starts_with("Channel ") && !text.starts_with("Ring ") &&
             !text.starts_with("Trees ") && !text.starts_with("comm 0x");
    }
    return true;
  }

  void see_rank(std::size_t rank) { messages.ranks_seen = std::max(messages.ranks_seen, rank + 1); }

  void take_connection(const logs::ConnectionPhrase& phrase) {
    transports_.count(phrase.transport);
    if (!phrase.from) return;
    see_rank(*phrase.from);
    see_rank(*phrase.to);
    pairs_.count({*phrase.from, *phrase.to, phrase.transport});
  }

  void take_nic(const logs::NcclProcess& process, NcclNic nic) {
    if (nics_.size() >= kMostThings) return;
    const NicKey key{process.host, nic.name, nic.port.value_or(0)};
    if (!known_nics_.insert(key).second) return;
    nics_.emplace_back(std::move(nic), process);
  }

  void take_graph(NcclGraph graph) {
    auto& graphs = messages.graphs;
    const bool is_known = std::ranges::find(graphs, graph) != graphs.end();
    if (!is_known && graphs.size() < kMostFacts) graphs.push_back(std::move(graph));
  }

  void take_counts() {
    messages.hosts = hosts_.names();
    messages.communicators = communicators_.all(hosts_);
    for (const auto& [name, times] : transports_.counts()) {
      messages.transports.push_back({name, times});
    }
    for (const auto& [pair, times] : pairs_.counts()) {
      const auto& [from, to, transport] = pair;
      messages.connections.push_back({from, to, transport, times});
    }
    for (const auto& [setting, times] : settings_.counts()) {
      messages.settings.push_back({setting.first, setting.second});
    }
    for (const auto& [text, times] : problems_.counts()) messages.problems.push_back({text, times});
    take_nics();
  }

  /// Replaces truncated host names.
  void take_nics() {
    std::set<NicKey> known;
    for (auto& [nic, process] : nics_) {
      nic.host = hosts_.meant(process);
      if (!known.insert({nic.host, nic.name, nic.port.value_or(0)}).second) continue;
      messages.nics.push_back(std::move(nic));
    }
  }

  logs::NcclHosts hosts_;
  logs::NcclCommunicators communicators_;
  Counter<std::string> transports_{kMostFacts};
  Counter<Pair> pairs_{kMostThings};
  Counter<std::pair<std::string, std::string>> settings_{kMostFacts};
  Counter<std::string> problems_{kMostFacts};
  std::set<NicKey> known_nics_;
  std::vector<std::pair<NcclNic, logs::NcclProcess>> nics_;
};

}  // namespace

const NcclCommunicator* largest_communicator(const NcclMessages& messages) {
  const auto largest = std::ranges::max_element(
      messages.communicators,
      [](const auto& a, const auto& b) { return a.size.value_or(0) < b.size.value_or(0); });
  return largest == messages.communicators.end() ? nullptr : &*largest;
}

bool is_nccl_messages(std::string_view text) {
  return logs::contains(text, " NCCL INFO ") || logs::contains(text, " NCCL WARN ") ||
         logs::contains(text, "NCCL version ") || logs::contains(text, "RCCL version ");
}

tl::expected<NcclMessages, Diagnostics> read_nccl_messages(const input::SourcePtr& file,
                                                           Diagnostics& warnings) {
  MessageReader reader;
  reader.read(file->text);
  if (reader.messages.messages == 0) {
    Diagnostics errors;
    errors.error(topology::import_codes::kNothingInIt.code, {file, 0, 1}, "",
                 "the file contains no message of NCCL",
                 "lines \"... NCCL INFO ...\", as a run with NCCL_DEBUG=INFO prints them");
    return tl::unexpected(errors);
  }
  if (reader.cut > 0) {
    warnings.warning(
        topology::import_codes::kOddValue.code, {file, reader.first_cut, 1}, "",
        fmt::format("{} of {} messages of NCCL are truncated or mixed with others: skipped",
                    reader.cut, reader.messages.messages));
  }
  return std::move(reader.messages);
}

}  // namespace vgsim::calibration
