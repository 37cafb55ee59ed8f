#include "models/collectives/ring_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace vgsim::collectives {
namespace {

constexpr int kMaxSteps = 50'000;
/// A slower rate with more channels must be better by one part in this many.
constexpr std::int64_t kWorthMoreChannels = 50;

std::int64_t whole(const Exact& capacity) {
  using boost::multiprecision::denominator;
  using boost::multiprecision::numerator;
  return static_cast<std::int64_t>(numerator(capacity) / denominator(capacity));
}

/// What is still free on each resource.
class Residual {
 public:
  explicit Residual(const std::vector<Exact>& capacity) {
    for (const Exact& c : capacity) free_.push_back(whole(c));
  }

  [[nodiscard]] std::int64_t width(const Hop& hop) const {
    std::int64_t width = std::numeric_limits<std::int64_t>::max();
    for (const Crossing& c : hop.crossings) {
      width = std::min(width, free_[static_cast<std::size_t>(c.resource)] / c.coefficient);
    }
    return width;
  }

  bool take(const Hop& hop, std::int64_t rate) {
    if (width(hop) < rate) return false;
    give(hop, -rate);
    return true;
  }

  void give(const Hop& hop, std::int64_t rate) {
    for (const Crossing& c : hop.crossings) {
      free_[static_cast<std::size_t>(c.resource)] += rate * c.coefficient;
    }
  }

 private:
  std::vector<std::int64_t> free_;
};

/// Depth-first search of one channel at one rate.
class ChannelSearch {
 public:
  ChannelSearch(const RingNode& node, Residual& residual, std::int64_t rate, std::size_t channel)
      : node_(node), residual_(residual), rate_(rate), channel_(channel) {}

  /// The channel, its resources taken; nothing if there is none at this rate.
  std::optional<NodeChannel> find() {
    if (!every_rank_has_room()) return std::nullopt;
    if (node_.receive.empty()) {
      return start_at(0) ? std::optional(NodeChannel{order_, 0}) : std::nullopt;
    }
    const std::size_t nics = node_.receive.size();
    for (std::size_t k = 0; k < nics; ++k) {
      nic_ = (channel_ + k) % nics;
      for (const std::size_t rank : nearest_first(node_.receive[nic_], nics)) {
        if (!worth_using(node_.receive[nic_], rank)) continue;
        if (!residual_.take(node_.receive[nic_][rank], rate_)) continue;
        if (start_at(rank)) return NodeChannel{order_, nic_};
        residual_.give(node_.receive[nic_][rank], rate_);
      }
    }
    return std::nullopt;
  }

 private:
  /// Whether each rank can still reach, and be reached from, some other at this rate; where the
  /// ring leaves the VM the last rank need not and the first need not. Saves searching in vain
  /// when ranks have used up their links.
  bool every_rank_has_room() const {
    std::size_t without_exit = 0;
    std::size_t without_entry = 0;
    for (std::size_t a = 0; a < node_.ranks && node_.ranks > 1; ++a) {
      bool exit = false;
      bool entry = false;
      for (std::size_t b = 0; b < node_.ranks && !(exit && entry); ++b) {
        exit = exit || (a != b && residual_.width(node_.between[a][b]) >= rate_);
        entry = entry || (a != b && residual_.width(node_.between[b][a]) >= rate_);
      }
      if (!exit) ++without_exit;
      if (!entry) ++without_entry;
    }
    const std::size_t allowed = node_.receive.empty() ? 0 : 1;
    return without_exit <= allowed && without_entry <= allowed;
  }

  bool start_at(std::size_t rank) {
    order_ = {rank};
    visited_.assign(node_.ranks, false);
    visited_[rank] = true;
    return extend();
  }

  bool extend() {
    if (++steps_ > kMaxSteps) return false;
    const std::size_t here = order_.back();
    if (order_.size() == node_.ranks) return close(here);
    for (const std::size_t next : nearest_first(node_.between[here], here)) {
      if (visited_[next] || !residual_.take(node_.between[here][next], rate_)) continue;
      order_.push_back(next);
      visited_[next] = true;
      if (extend()) return true;
      visited_[next] = false;
      order_.pop_back();
      residual_.give(node_.between[here][next], rate_);
    }
    return false;
  }

  bool close(std::size_t last) {
    if (!node_.send.empty()) {
      return may_send(last) && residual_.take(node_.send[last][nic_], rate_);
    }
    return node_.ranks == 1 || residual_.take(node_.between[last][order_.front()], rate_);
  }

  /// A NIC that reaches some GPU directly is not used through host memory for another, as NCCL
  /// looks for channels of the best path class first.
  static bool worth_using(const std::vector<Hop>& hops, std::size_t rank) {
    return !hops[rank].through_memory ||
           std::all_of(hops.begin(), hops.end(), [](const Hop& h) { return h.through_memory; });
  }

  bool may_send(std::size_t rank) const {
    return !node_.send[rank][nic_].through_memory ||
           std::all_of(node_.send.begin(), node_.send.end(),
                       [&](const auto& hops) { return hops[nic_].through_memory; });
  }

  /// Ranks by transport, then by what is still free on the hop, so that channels spread over all
  /// links, then by the number of links, then by distance upwards from `from`.
  std::vector<std::size_t> nearest_first(const std::vector<Hop>& hops, std::size_t from) const {
    struct Candidate {
      std::size_t rank;
      std::int64_t free;
    };
    std::vector<Candidate> candidates;
    for (std::size_t step = 0; step < hops.size(); ++step) {
      const std::size_t rank = (from + step) % hops.size();
      candidates.push_back({rank, residual_.width(hops[rank])});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const Candidate& a, const Candidate& b) {
                       const Hop& to_a = hops[a.rank];
                       const Hop& to_b = hops[b.rank];
                       if (to_a.transport != to_b.transport) return to_a.transport < to_b.transport;
                       if (a.free != b.free) return a.free > b.free;
                       return to_a.crossings.size() < to_b.crossings.size();
                     });
    std::vector<std::size_t> ranks;
    for (const Candidate& candidate : candidates) ranks.push_back(candidate.rank);
    return ranks;
  }

  const RingNode& node_;
  Residual& residual_;
  std::int64_t rate_;
  std::size_t channel_;
  std::size_t nic_ = 0;
  std::vector<std::size_t> order_;
  std::vector<bool> visited_;
  int steps_ = 0;
};

/// The rates worth trying, fastest first.
std::vector<std::int64_t> candidate_rates(const RingNode& node, const Residual& fresh,
                                          std::int64_t max_channels) {
  std::set<std::int64_t, std::greater<>> rates;
  // However many hops of a ring cross one link, it can be shared by all of them.
  const std::int64_t most_crossings = 16 * static_cast<std::int64_t>(node.ranks + 1);
  const auto add = [&](const std::vector<std::vector<Hop>>& table) {
    for (const auto& row : table) {
      for (const Hop& hop : row) {
        if (hop.crossings.empty()) continue;
        const std::int64_t width = fresh.width(hop);
        for (std::int64_t k = 1; k <= max_channels; ++k) rates.insert(width / k);
        for (std::int64_t k = 2 * max_channels; k <= most_crossings; k *= 2) {
          rates.insert(width / k);
        }
      }
    }
  };
  add(node.between);
  add(node.send);
  add(node.receive);
  rates.erase(0);
  return {rates.begin(), rates.end()};
}

/// One channel in the order of ranks, as NCCL falls back to when its search finds nothing.
NodeChannels fallback(const RingNode& node, const Residual& fresh) {
  NodeChannel channel;
  for (std::size_t r = 0; r < node.ranks; ++r) channel.order.push_back(r);
  const auto alive = [&](const Hop& hop) { return fresh.width(hop) > 0; };
  bool complete = true;
  for (std::size_t r = 0; r + 1 < node.ranks; ++r) {
    complete = complete && alive(node.between[r][r + 1]);
  }
  if (!node.send.empty()) {
    complete = complete && alive(node.send.back().front()) && alive(node.receive.front().front());
  } else if (node.ranks > 1) {
    complete = complete && alive(node.between[node.ranks - 1][0]);
  }
  return complete ? NodeChannels{{channel}, 0} : NodeChannels{};
}

}  // namespace

NodeChannels search_channels(const RingNode& node, const std::vector<Exact>& capacity,
                             std::size_t max_channels) {
  const Residual fresh(capacity);
  NodeChannels best;
  std::int64_t best_total = 0;
  const auto most = static_cast<std::int64_t>(max_channels);
  for (const std::int64_t rate : candidate_rates(node, fresh, most)) {
    if (rate * most <= best_total) break;
    Residual residual = fresh;
    NodeChannels found;
    found.rate = rate;
    while (found.channels.size() < max_channels) {
      auto channel = ChannelSearch(node, residual, rate, found.channels.size()).find();
      if (!channel) break;
      found.channels.push_back(std::move(*channel));
    }
    const std::int64_t total = rate * static_cast<std::int64_t>(found.channels.size());
    if (total > best_total + best_total / kWorthMoreChannels) {
      best_total = total;
      best = std::move(found);
    }
  }
  return best.channels.empty() ? fallback(node, fresh) : best;
}

}  // namespace vgsim::collectives
