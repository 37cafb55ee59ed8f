#include <fmt/core.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/calibration/logs/log_sentences.hpp"

namespace vgsim::calibration::logs {
namespace {

/// Maximum number of sentences of each kind.
constexpr std::size_t kMostAlike = 8;

/// The names of NCCL_TOPO_PATTERN_* in NCCL's graph.h.
std::string_view pattern_name(std::size_t pattern) {
  constexpr std::array<std::string_view, 7> kNames = {
      "", "balanced tree", "split tree", "tree", "ring", "NVLS", "CollNet direct"};
  return pattern < kNames.size() ? kNames[pattern] : std::string_view();
}

std::string name_of(const NcclMessages& messages) { return messages.is_rccl ? "RCCL" : "NCCL"; }

std::string library_of(const NcclMessages& messages) {
  const std::string name = name_of(messages);
  if (messages.versions.empty()) return name + " of an unknown release";
  std::string text = fmt::format("{} {}", name, fmt::join(messages.versions, " and "));
  if (!messages.cuda_versions.empty()) {
    text += fmt::format(" ({} {})", messages.is_rccl ? "ROCm" : "CUDA",
                        fmt::join(messages.cuda_versions, " and "));
  }
  return text;
}

std::string job_of(const NcclMessages& messages) {
  const NcclCommunicator* const largest = largest_communicator(messages);
  const bool is_told = largest != nullptr && largest->size.has_value();
  const std::size_t ranks = is_told ? *largest->size : messages.ranks_seen;
  std::string text = fmt::format("{}: {} messages", library_of(messages), messages.messages);
  if (ranks > 0) {
    text += fmt::format(" of a job of {}{} {}", is_told ? "" : "at least ", ranks,
                        ranks == 1 ? "rank" : "ranks");
  }
  const std::size_t nodes = largest == nullptr ? 0 : largest->nodes.value_or(0);
  if (nodes > messages.hosts.size()) {
    text += fmt::format(" on {} hosts", nodes);
    if (messages.hosts.empty()) return text;
    return text + fmt::format(", of which the log shows {} ({})", messages.hosts.size(),
                              few_of(messages.hosts));
  }
  if (messages.hosts.empty()) return text;
  return text + fmt::format(" on {} ({})", count_text(messages.hosts.size(), "host"),
                            few_of(messages.hosts));
}

std::string of_size(const NcclCommunicator& communicator, std::size_t count) {
  std::string text = count_text(count, "communicator");
  if (communicator.size) text += " of " + count_text(*communicator.size, "rank");
  if (communicator.channels) text += " with " + count_text(*communicator.channels, "channel");
  if (communicator.nvls_channels.value_or(0) > 0) {
    text += fmt::format(", {} of NVLS", *communicator.nvls_channels);
  }
  return text;
}

void add_communicators(const NcclMessages& messages, std::vector<std::string>& sentences) {
  using Key = std::tuple<std::size_t, std::size_t, std::size_t>;
  std::map<Key, std::pair<const NcclCommunicator*, std::size_t>> alike;
  for (const NcclCommunicator& each : messages.communicators) {
    auto& entry =
        alike[{each.size.value_or(0), each.channels.value_or(0), each.nvls_channels.value_or(0)}];
    entry.first = &each;
    ++entry.second;
  }
  std::vector<std::string> texts;
  for (auto each = alike.rbegin(); each != alike.rend(); ++each) {
    texts.push_back(of_size(*each->second.first, each->second.second));
  }
  if (!texts.empty()) sentences.push_back(few_of(texts));
  const NcclCommunicator* const largest = largest_communicator(messages);
  if (largest == nullptr || largest->rings.empty() || largest->rings[0].ranks.size() < 2) return;
  sentences.push_back(fmt::format("ring of channel {}: {}", largest->rings[0].channel,
                                  fmt::join(largest->rings[0].ranks, " ")));
}

/// GPUs of each host, in the order of ranks.
void add_gpus(const NcclMessages& messages, std::vector<std::string>& sentences) {
  std::map<std::string, std::vector<std::string>> gpus;
  for (const NcclCommunicator& communicator : messages.communicators) {
    for (const NcclRank& rank : communicator.ranks) {
      if (!rank.bus_id.empty()) gpus[rank.host].push_back(rank.bus_id);
    }
  }
  std::map<std::vector<std::string>, std::vector<std::string>> hosts;
  for (const auto& [host, ids] : gpus) hosts[distinct(ids)].push_back(host);
  for (const auto& [ids, names] : hosts) {
    sentences.push_back(fmt::format("GPUs of {}: {}", few_of(names), fmt::join(ids, ", ")));
  }
}

/// Combines hosts with the same NICs in one sentence.
void add_nics(const NcclMessages& messages, std::vector<std::string>& sentences) {
  std::map<std::string, std::vector<std::string>> of_host;
  for (const NcclNic& nic : messages.nics) {
    of_host[nic.host].push_back(fmt::format("{} {}", nic.name, nic.link));
  }
  std::map<std::vector<std::string>, std::vector<std::string>> hosts;
  for (const auto& [host, nics] : of_host) hosts[nics].push_back(host);
  for (const auto& [nics, names] : hosts) {
    sentences.push_back(fmt::format("NICs of {}: {}", few_of(names), fmt::join(nics, ", ")));
  }
}

void add_lists(const NcclMessages& messages, std::vector<std::string>& sentences) {
  std::vector<std::string> texts;
  for (const NcclTransport& each : messages.transports) {
    texts.push_back(fmt::format("{} {}", each.messages, each.name));
  }
  if (!texts.empty()) {
    sentences.push_back(fmt::format("messages of connections: {}", fmt::join(texts, ", ")));
  }
  if (!messages.networks.empty()) {
    sentences.push_back("network " + few_of(messages.networks));
  }
  texts.clear();
  for (const NcclSetting& each : messages.settings) {
    texts.push_back(fmt::format("{}={}", each.name, each.value));
  }
  if (!texts.empty()) sentences.push_back(fmt::format("set: {}", fmt::join(texts, ", ")));
}

void add_graphs(const NcclMessages& messages, std::vector<std::string>& sentences) {
  for (const NcclGraph& graph : messages.graphs) {
    sentences.push_back(fmt::format(
        "search for pattern {}{}: {}, {} GB/s each over {} within a host, {} GB/s over {} between "
        "hosts",
        graph.pattern,
        pattern_name(graph.pattern).empty() ? std::string()
                                            : fmt::format(" ({})", pattern_name(graph.pattern)),
        count_text(graph.channels, "channel"), graph.gigabytes_per_second_intra, graph.type_intra,
        graph.gigabytes_per_second_inter, graph.type_inter));
  }
}

/// Adds the first sentences about one kind of item.
template <class Add>
void add_some(const NcclMessages& messages, const Add& add, std::vector<std::string>& sentences) {
  std::vector<std::string> more;
  add(messages, more);
  if (more.size() > kMostAlike) more.resize(kMostAlike);
  for (std::string& each : more) {
    sentences.push_back(fmt::format("{}: {}", name_of(messages), std::move(each)));
  }
}

}  // namespace

std::vector<std::string> sentences_of(const NcclMessages& messages) {
  std::vector<std::string> sentences = {job_of(messages)};
  add_some(messages, add_communicators, sentences);
  add_some(messages, add_gpus, sentences);
  add_some(messages, add_nics, sentences);
  add_some(messages, add_lists, sentences);
  add_some(messages, add_graphs, sentences);
  std::vector<std::string> problems;
  for (const NcclProblem& each : messages.problems) {
    problems.push_back(fmt::format("\"{}\" ({})", each.text, count_text(each.times, "time")));
  }
  if (!problems.empty()) {
    sentences.push_back(fmt::format("{}: warnings: {}", name_of(messages), few_of(problems)));
  }
  return sentences;
}

}  // namespace vgsim::calibration::logs
