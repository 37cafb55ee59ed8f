#include "models/collectives/pattern.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string>

namespace vgsim::collectives {
namespace {

Ratio one_of(std::size_t n) { return Ratio(1) / static_cast<std::int64_t>(n); }

std::vector<Phase> direct(std::size_t n) {
  Phase all;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t step = 1; step < n; ++step) all.push_back({a, (a + step) % n, one_of(n)});
  }
  return {all, all};
}

std::vector<Phase> halving_doubling(std::size_t n) {
  if (!std::has_single_bit(n)) {
    throw NotConnected(fmt::format(
        "halving and doubling needs a number of ranks that is a power of two, not {}", n));
  }
  std::vector<Phase> phases;
  for (std::size_t distance = n / 2; distance > 0; distance /= 2) {
    Phase phase;
    for (std::size_t a = 0; a < n; ++a)
      phase.push_back({a, a ^ distance, one_of(n) * std::int64_t(distance)});
    phases.push_back(std::move(phase));
  }
  std::vector<Phase> doubling(phases.rbegin(), phases.rend());
  phases.insert(phases.end(), doubling.begin(), doubling.end());
  return phases;
}

/// Repeats one step of a ring through the ranks of each list.
void add_ring(const std::vector<std::vector<std::size_t>>& rings, const Ratio& share,
              std::size_t times, std::vector<Phase>& phases) {
  for (std::size_t step = 0; step < times; ++step) {
    Phase phase;
    for (const std::vector<std::size_t>& ring : rings) {
      for (std::size_t i = 0; ring.size() > 1 && i < ring.size(); ++i) {
        phase.push_back({ring[i], ring[(i + 1) % ring.size()], share});
      }
    }
    if (!phase.empty()) phases.push_back(std::move(phase));
  }
}

std::vector<Phase> hierarchical(const RankGroup& ranks) {
  std::vector<std::vector<std::size_t>> inside(ranks.vms().size());
  for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
    inside[ranks.vm_of(rank)].push_back(rank);
  const std::size_t per_vm = inside.front().size();
  std::vector<std::vector<std::size_t>> between(per_vm);
  for (const std::vector<std::size_t>& vm : inside) {
    if (vm.size() != per_vm) {
      throw NotConnected("a hierarchical AllReduce needs the same number of ranks in each VM");
    }
    for (std::size_t i = 0; i < per_vm; ++i) between[i].push_back(vm[i]);
  }
  std::vector<Phase> phases;
  add_ring(inside, one_of(per_vm), per_vm - 1, phases);
  add_ring(between, one_of(per_vm * inside.size()), 2 * (inside.size() - 1), phases);
  add_ring(inside, one_of(per_vm), per_vm - 1, phases);
  return phases;
}

std::vector<Phase> parameter_server(std::size_t n) {
  Phase to_server;
  Phase back;
  for (std::size_t rank = 1; rank < n; ++rank) {
    to_server.push_back({rank, 0, Ratio(1)});
    back.push_back({0, rank, Ratio(1)});
  }
  return {to_server, back};
}

}  // namespace

const std::vector<std::string>& pattern_words() {
  static const std::vector<std::string> words = {"nccl", "hierarchical", "direct",
                                                 "halving_doubling", "parameter_server"};
  return words;
}

Pattern pattern_of(std::string_view word) {
  const auto& words = pattern_words();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) throw std::invalid_argument("unknown pattern: " + std::string(word));
  return static_cast<Pattern>(found - words.begin());
}

std::vector<Phase> phases_of(Pattern pattern, const RankGroup& ranks) {
  switch (pattern) {
    case Pattern::kHierarchical:
      return hierarchical(ranks);
    case Pattern::kDirect:
      return direct(ranks.ranks());
    case Pattern::kHalvingDoubling:
      return halving_doubling(ranks.ranks());
    case Pattern::kParameterServer:
      return parameter_server(ranks.ranks());
    case Pattern::kNccl:
      return {};
  }
  return {};
}

}  // namespace vgsim::collectives
