#include "models/collectives/exchange.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>

#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

using topology::FabricLink;

std::int64_t divided(std::int64_t pairs, std::size_t members) {
  const auto count = static_cast<std::int64_t>(members);
  if (pairs % count != 0) throw std::logic_error("members of one class carry different parts");
  return pairs / count;
}

/// The position of each rank: its host, and its index among the ranks there.
struct RankPositions {
  std::vector<std::size_t> place;            ///< by rank
  std::vector<std::size_t> senders;          ///< the ranks of the first host of each class
  std::map<std::size_t, std::size_t> hosts;  ///< by class: number of hosts with ranks

  RankPositions(const RankGroup& ranks, const PlacedNetwork& placed) {
    std::map<std::size_t, std::size_t> taken;  // by host: ranks so far
    std::map<std::size_t, std::size_t> first;  // by class: its first host
    for (std::size_t r = 0; r < ranks.ranks(); ++r) {
      const std::size_t host = ranks.host_of(r);
      const std::size_t own = placed.class_of(host);
      place.push_back(taken[host]++);
      if (place.back() == 0) ++hosts[own];
      if (first.try_emplace(own, host).first->second == host) senders.push_back(r);
    }
  }
};

/// Receivers of one sender in one class: the first one, and their number.
struct Receivers {
  std::size_t first = 0;
  std::int64_t count = 0;
};

class ExchangeBuilder {
 public:
  ExchangeBuilder(const RankGroup& ranks, const StepCosts& costs, PlacedNetwork& placed)
      : ranks_(ranks),
        costs_(costs),
        placed_(placed),
        positions_(ranks, placed),
        nvlink_share_(costs.peer_share[static_cast<std::size_t>(ranks.generation())]) {}

  std::vector<PairClass> build() {
    std::vector<PairClass> result;
    for (const std::size_t from : positions_.senders) {
      for (const Receivers& to : receivers_of(from)) result.push_back(pair_class(from, to));
    }
    return result;
  }

 private:
  using Key = std::tuple<bool, std::size_t, std::size_t, std::optional<FabricLink>,
                         std::optional<FabricLink>>;

  [[nodiscard]] std::optional<FabricLink> class_of(const std::optional<FabricLink>& link) const {
    return link ? std::optional(placed_.first_alike(*link)) : std::nullopt;
  }

  [[nodiscard]] std::vector<Receivers> receivers_of(std::size_t from) const {
    std::map<Key, std::size_t> known;
    std::vector<Receivers> result;
    for (std::size_t step = 1; step < ranks_.ranks(); ++step) {
      const std::size_t to = (from + step) % ranks_.ranks();
      const auto path = ranks_.exchange_path(from, to);
      const std::size_t host = ranks_.host_of(to);
      const Key key{host == ranks_.host_of(from), placed_.class_of(host), positions_.place[to],
                    class_of(path.up), class_of(path.down)};
      const auto [it, is_new] = known.try_emplace(key, result.size());
      if (is_new) result.push_back({to, 0});
      ++result[it->second].count;
    }
    return result;
  }

  PairClass pair_class(std::size_t from, const Receivers& to) {
    const Leg leg = ranks_.exchange(from, to.first);
    const auto rate_cap = cap_of(leg);
    const std::int64_t pairs =
        to.count * static_cast<std::int64_t>(positions_.hosts.at(placed_.class_of(leg.from_host)));
    PlacedNetwork::Route route(placed_);
    route.cross(leg.from_host, *leg.leaving, to.count);
    if (leg.arriving != nullptr) {
      const std::size_t receivers = positions_.hosts.at(placed_.class_of(leg.to_host));
      route.cross(leg.to_host, *leg.arriving, divided(pairs, receivers));
    }
    for (const auto& link : {leg.fabric.up, leg.fabric.down}) {
      if (!link) continue;
      const auto alike = placed_.alike(*link);
      const std::int64_t each = divided(pairs, alike.size());
      for (const FabricLink& other : alike) route.cross({other, std::nullopt, {}}, each);
    }
    const SimTime latency = step_latency(leg, nccl::Protocol::kSimple, ranks_.generation(), costs_);
    const bool inside = leg.from_host == leg.to_host;
    return {std::move(route).of_each_host(), latency,
            inside ? step_latency(leg, nccl::Protocol::kLl, ranks_.generation(), costs_) : latency,
            rate_cap, leg.transport == Transport::kNvLink};
  }

  /// All peers of a GPU share its NVLink bandwidth for such traffic.
  std::optional<Ratio> cap_of(const Leg& leg) {
    const auto generation = ranks_.generation();
    if (const auto staged = staged_peer_rate(leg, costs_, generation)) return staged;
    if (nvlink_share_ >= 1.0) return std::nullopt;
    PlacedNetwork::Route route(placed_);
    cross(route, leg);
    std::optional<Ratio> cap;
    for (const Crossing& c : std::move(route).crossings()) {
      if (placed_.kind(c.resource) != topology::LinkKind::kNvLink) continue;
      const Ratio rate = placed_.network().resources.capacity(c.resource) *
                         exact_share(nvlink_share_) /
                         (c.coefficient * static_cast<std::int64_t>(ranks_.ranks() - 1));
      if (!cap || rate < *cap) cap = rate;
    }
    return cap;
  }

  const RankGroup& ranks_;
  const StepCosts& costs_;
  PlacedNetwork& placed_;
  RankPositions positions_;
  double nvlink_share_;
};

}  // namespace

std::vector<PairClass> exchange_of(const RankGroup& ranks, const StepCosts& costs,
                                   PlacedNetwork& placed) {
  return ExchangeBuilder(ranks, costs, placed).build();
}

}  // namespace vgsim::collectives
