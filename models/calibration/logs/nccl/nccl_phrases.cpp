#include "models/calibration/logs/nccl/nccl_phrases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs {
namespace {

/// "0000:8d:00.0" from "8d000"; empty for other texts.
std::string bus_id_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? nccl_bus_id(number) : std::string();
}

/// The rank in "9[1]" or "9".
std::optional<std::size_t> rank_in(std::string_view word) {
  return number_in(word.substr(0, word.find('[')), kMaxNcclRanks);
}

/// The text after "Channel " or "Ring ", with which messages of channels begin.
std::optional<std::string_view> after_channel(std::string_view text) {
  for (const std::string_view word : {"Channel ", "Ring ", "CollNet "}) {
    if (text.starts_with(word)) return text.substr(word.size());
  }
  return std::nullopt;
}

/// "NET/IBext/4(0)/GDRDMA" without the device and irrelevant parts.
std::optional<std::string> transport_in(std::string_view way) {
  way = trimmed(way.substr(0, way.find(" comm 0x")));
  if (way == "direct shared memory") return "SHM";
  const std::string_view family = cut_at(way, "/");
  if (family == "SHM") return "SHM";
  const std::string_view kind = cut_at(way, "/");
  const bool is_whole = !kind.empty() && std::ranges::count(kind, ' ') <= 1;
  const bool is_direct = family == "P2P" || family == "COLLNET";
  if (!is_whole || (!is_direct && family != "NET")) return std::nullopt;
  const std::string name = fmt::format("{}/{}", family, printable_text(kind));
  if (is_direct) return name;
  const std::string_view device = cut_at(way, "/");
  const bool has_device = number_in(device.substr(0, device.find('(')), kMaxNcclRanks).has_value();
  const bool is_gdr = way.starts_with("GDRDMA") && !contains(way, " ");
  if (!has_device || (!is_gdr && !way.empty() && way != "Shared")) return std::nullopt;
  return is_gdr ? name + "/GDRDMA" : name;
}

CommPhrase::Event event_in(std::string_view text) {
  if (contains(text, "- Init START")) return CommPhrase::Event::kStart;
  if (contains(text, "- Init COMPLETE")) return CommPhrase::Event::kComplete;
  return CommPhrase::Event::kOther;
}

/// Reads a key of a communicator's message. False if the value is impossible.
bool take(std::string_view key, std::string_view value, CommPhrase& phrase,
          std::optional<std::size_t>& rank) {
  if (key == "rank") return (rank = number_in(value, kMaxNcclRanks)).has_value();
  if (key == "nranks" || key == "nRanks") {
    phrase.size = number_in(value, kMaxNcclRanks).value_or(0);
    return phrase.size > 0;
  }
  if (key == "nNodes") return (phrase.nodes = number_in(value, kMaxNcclRanks)).has_value();
  if (key == "cudaDev") {
    return (phrase.rank.device = number_in(value, kMaxNcclRanks)).has_value();
  }
  if (key == "busId") return !(phrase.rank.bus_id = bus_id_in(value)).empty();
  if (key == "commId") phrase.id = printable_text(value);
  if (key == "color") phrase.color = printable_text(value);
  return true;
}

/// The ranks of "3/-1/-1", without -1.
std::optional<std::vector<std::size_t>> children_in(std::string_view text) {
  std::vector<std::size_t> children;
  while (!text.empty()) {
    const std::string_view child = cut_at(text, "/");
    if (child == "-1") continue;
    const auto rank = rank_in(child);
    if (!rank) return std::nullopt;
    children.push_back(*rank);
  }
  return children;
}

/// "3/-1/-1->2->1", or "1->2->3/-1/-1" with the parent first; 2.7 prints both with a bar.
std::optional<NcclTree> tree_in(std::string_view text) {
  text = cut_at(text, "|");
  std::string_view first = cut_at(text, "->");
  const std::string_view own = cut_at(text, "->");
  std::string_view last = text;
  if (!contains(first, "/")) std::swap(first, last);
  const auto rank = rank_in(own);
  auto children = children_in(first);
  if (!rank || !children || !contains(first, "/")) return std::nullopt;
  NcclTree tree{0, *rank, rank_in(last), std::move(*children)};
  return tree.parent || last == "-1" ? std::optional(std::move(tree)) : std::nullopt;
}

}  // namespace

std::string nccl_bus_id(std::uint64_t number) {
  if (number == 0 || number >> 52 != 0) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", number >> 20, number >> 12 & 0xff,
                     number >> 4 & 0xff, number & 0xf);
}

/// The wording of messages changed over the releases, but not their key words: each phrase is found
/// by these. A number out of range means that the line was truncated.
std::optional<CommPhrase> comm_in(std::string_view text) {
  const std::size_t at = text.starts_with("comm 0x") ? 0 : text.find(" comm 0x");
  if (at == std::string_view::npos) return std::nullopt;
  const Words words = split(text.substr(at));
  CommPhrase phrase;
  phrase.event = event_in(text);
  std::optional<std::size_t> rank;
  for (std::size_t w = 2; w + 1 < words.size() && words[w] != "-"; w += 2) {
    if (!take(words[w], words[w + 1], phrase, rank)) return std::nullopt;
  }
  if (!rank || *rank >= phrase.size) return std::nullopt;
  phrase.rank.rank = *rank;
  return phrase;
}

std::optional<RingPhrase> ring_in(std::string_view text) {
  auto rest = after_channel(text);
  if (!rest) return std::nullopt;
  std::string_view number = trimmed(cut_at(*rest, ":"));
  const bool tells_channels = contains(number, "/");
  RingPhrase phrase;
  const auto channel = number_in(cut_at(number, "/"), kMaxNcclChannels);
  phrase.channels = number_in(number, kMaxNcclChannels);
  const Words words = split(*rest);
  if (!channel || (tells_channels && !phrase.channels) || words.empty()) return std::nullopt;
  phrase.ring.channel = *channel;
  for (const std::string_view word : words) {
    const auto rank = number_in(word, kMaxNcclRanks);
    if (!rank) return std::nullopt;
    phrase.ring.ranks.push_back(*rank);
  }
  return phrase;
}

std::vector<NcclTree> trees_in(std::string_view text) {
  std::vector<NcclTree> trees;
  if (!text.starts_with("Trees ")) return trees;
  const Words words = split(text.substr(6));
  for (std::size_t w = 0; w + 1 < words.size(); w += 2) {
    const std::string_view label = words[w];
    if (label.size() < 3 || label.front() != '[' || label.back() != ']') break;
    const auto channel = number_in(label.substr(1, label.size() - 2), kMaxNcclChannels);
    auto tree = tree_in(words[w + 1]);
    if (!channel || !tree) break;
    tree->channel = *channel;
    trees.push_back(std::move(*tree));
  }
  return trees;
}

std::optional<ConnectionPhrase> connection_in(std::string_view text) {
  auto rest = after_channel(text);
  const std::size_t via = text.find(" via ");
  if (!rest || via == std::string_view::npos) return std::nullopt;
  auto transport = transport_in(text.substr(via + 5));
  if (!transport) return std::nullopt;
  ConnectionPhrase phrase{{}, {}, std::move(*transport)};
  if (text.starts_with("CollNet ")) return phrase;
  cut_at(*rest, ":");
  const Words words = split(rest->substr(0, rest->find(" via ")));
  if (words.size() < 3 || words[1] != "->") return std::nullopt;
  phrase.from = rank_in(words[0]);
  phrase.to = rank_in(words[2]);
  return phrase.from && phrase.to ? std::optional(std::move(phrase)) : std::nullopt;
}

std::optional<ChannelsPhrase> channels_in(std::string_view text) {
  if (!contains(text, " coll channels")) return std::nullopt;
  ChannelsPhrase phrase;
  while (!text.empty()) {
    std::string_view part = trimmed(cut_at(text, ","));
    const auto count = number_in(cut_at(part, " "), kMaxNcclChannels);
    if (!count) return std::nullopt;
    if (part == "coll channels") phrase.coll = count;
    if (part == "nvls channels") phrase.nvls = count;
    if (part == "p2p channels") phrase.p2p = count;
    if (part == "p2p channels per peer") phrase.p2p_per_peer = count;
  }
  return phrase.coll ? std::optional(phrase) : std::nullopt;
}

}  // namespace vgsim::calibration::logs
