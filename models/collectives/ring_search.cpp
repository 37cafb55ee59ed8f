#include "models/collectives/ring_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace vgsim::collectives {
namespace {

/// Capacities are counted in twelfths of a byte per second, so that halves, thirds and quarters
/// of a link are whole numbers.
constexpr std::int64_t kParts = 12;
constexpr std::int64_t kSharings[] = {1, 2, 3, 4};
constexpr int kMaxSteps = 50'000;

std::int64_t whole_parts(const Exact& capacity) {
  using boost::multiprecision::denominator;
  using boost::multiprecision::numerator;
  const Exact parts = capacity * kParts;
  return static_cast<std::int64_t>(numerator(parts) / denominator(parts));
}

/// What is still free on each resource.
class Residual {
 public:
  explicit Residual(const std::vector<Exact>& capacity) {
    for (const Exact& c : capacity) free_.push_back(whole_parts(c));
  }

  [[nodiscard]] std::int64_t width(const Hop& hop) const {
    std::int64_t width = std::numeric_limits<std::int64_t>::max();
    for (const Crossing& c : hop.crossings) {
      width = std::min(width, at(c) / coefficient_in(hop, c));
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
  [[nodiscard]] std::int64_t at(const Crossing& c) const {
    return free_[static_cast<std::size_t>(c.resource)];
  }

  static std::int64_t coefficient_in(const Hop& hop, const Crossing& wanted) {
    std::int64_t sum = 0;
    for (const Crossing& c : hop.crossings) {
      if (c.resource == wanted.resource) sum += c.coefficient;
    }
    return sum;
  }

  std::vector<std::int64_t> free_;
};

/// Depth-first search of one channel at one rate.
class ChannelSearch {
 public:
  ChannelSearch(const RingNode& node, const Residual& fresh, Residual& residual, std::int64_t rate,
                std::size_t channel)
      : node_(node), fresh_(fresh), residual_(residual), rate_(rate), channel_(channel) {}

  /// The channel, its resources taken; nothing if there is none at this rate.
  std::optional<NodeChannel> find() {
    if (node_.receive.empty()) {
      return start_at(0) ? std::optional(NodeChannel{order_, 0}) : std::nullopt;
    }
    const std::size_t nics = node_.receive.size();
    for (std::size_t k = 0; k < nics; ++k) {
      nic_ = (channel_ + k) % nics;
      for (const std::size_t rank : nearest_first(node_.receive[nic_], nics)) {
        if (!residual_.take(node_.receive[nic_][rank], rate_)) continue;
        if (start_at(rank)) return NodeChannel{order_, nic_};
        residual_.give(node_.receive[nic_][rank], rate_);
      }
    }
    return std::nullopt;
  }

 private:
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
    if (!node_.send.empty()) return residual_.take(node_.send[last][nic_], rate_);
    return node_.ranks == 1 || residual_.take(node_.between[last][order_.front()], rate_);
  }

  /// Ranks by transport, then width of the untouched hop, then distance upwards from `from`.
  std::vector<std::size_t> nearest_first(const std::vector<Hop>& hops, std::size_t from) const {
    std::vector<std::size_t> ranks;
    for (std::size_t step = 0; step < hops.size(); ++step) {
      ranks.push_back((from + step) % hops.size());
    }
    std::stable_sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) {
      if (hops[a].transport != hops[b].transport) return hops[a].transport < hops[b].transport;
      if (fresh_.width(hops[a]) != fresh_.width(hops[b])) {
        return fresh_.width(hops[a]) > fresh_.width(hops[b]);
      }
      return hops[a].crossings.size() < hops[b].crossings.size();
    });
    return ranks;
  }

  const RingNode& node_;
  const Residual& fresh_;
  Residual& residual_;
  std::int64_t rate_;
  std::size_t channel_;
  std::size_t nic_ = 0;
  std::vector<std::size_t> order_;
  std::vector<bool> visited_;
  int steps_ = 0;
};

/// The rates worth trying, fastest first.
std::vector<std::int64_t> candidate_rates(const RingNode& node, const Residual& fresh) {
  std::set<std::int64_t, std::greater<>> rates;
  const auto add = [&](const std::vector<std::vector<Hop>>& table) {
    for (const auto& row : table) {
      for (const Hop& hop : row) {
        if (hop.crossings.empty()) continue;
        for (const std::int64_t sharing : kSharings) rates.insert(fresh.width(hop) / sharing);
      }
    }
  };
  add(node.between);
  add(node.send);
  add(node.receive);
  rates.erase(0);
  return {rates.begin(), rates.end()};
}

}  // namespace

NodeChannels search_channels(const RingNode& node, const std::vector<Exact>& capacity,
                             std::size_t max_channels) {
  const Residual fresh(capacity);
  NodeChannels best;
  std::int64_t best_total = 0;
  for (const std::int64_t rate : candidate_rates(node, fresh)) {
    const auto most = static_cast<std::int64_t>(max_channels);
    if (rate * most <= best_total) break;
    Residual residual = fresh;
    NodeChannels found;
    found.rate = rate / kParts;
    while (found.channels.size() < max_channels) {
      auto channel = ChannelSearch(node, fresh, residual, rate, found.channels.size()).find();
      if (!channel) break;
      found.channels.push_back(std::move(*channel));
    }
    const std::int64_t total = rate * static_cast<std::int64_t>(found.channels.size());
    if (total > best_total) {
      best_total = total;
      best = std::move(found);
    }
  }
  return best;
}

}  // namespace vgsim::collectives
