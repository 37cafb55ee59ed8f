#include "sim/twins.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/fingerprint.hpp"

namespace vgsim {
namespace {

struct Use {
  std::uint32_t route;
  std::int64_t coefficient;
  bool operator==(const Use&) const = default;
};

/// The routes that cross each resource.
class Uses {
 public:
  explicit Uses(const Network& network) : offsets_(network.resources.size() + 1, 0) {
    each_crossing(network, [&](std::uint32_t, const Crossing& c) {
      ++offsets_[static_cast<std::size_t>(c.resource) + 1];
    });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    uses_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    each_crossing(network, [&](std::uint32_t route, const Crossing& c) {
      uses_[next[static_cast<std::size_t>(c.resource)]++] = {route, c.coefficient};
    });
  }

  [[nodiscard]] std::span<const Use> of(std::uint32_t resource) const {
    return std::span(uses_).subspan(offsets_[resource],
                                    offsets_[resource + 1] - offsets_[resource]);
  }

 private:
  template <class Visit>
  static void each_crossing(const Network& network, const Visit& visit) {
    for (std::uint32_t r = 0; r < network.routes.size(); ++r) {
      for (const Crossing& c : network.routes.crossings(RouteId{r})) {
        if (static_cast<std::size_t>(c.resource) < network.resources.size()) visit(r, c);
      }
    }
  }

  std::vector<std::size_t> offsets_;
  std::vector<Use> uses_;
};

/// Which resources are never given another capacity.
std::vector<bool> steady(const Network& network) {
  std::vector<bool> result(network.resources.size(), true);
  for (const CapacityChange& change : network.capacity_changes) {
    const auto r = static_cast<std::size_t>(change.resource);
    if (r < result.size()) result[r] = false;
  }
  return result;
}

}  // namespace

RouteTable without_twins(const Network& network) {
  const Uses uses(network);
  const std::vector<bool> is_steady = steady(network);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (std::uint32_t r = 0; r < network.resources.size(); ++r) {
    if (uses.of(r).empty() || !is_steady[r]) continue;
    Fingerprint print;
    for (const Use& use : uses.of(r)) {
      print.add(use.route);
      print.add(static_cast<std::uint64_t>(use.coefficient));
    }
    order.emplace_back(print.value(), r);
  }
  std::sort(order.begin(), order.end());

  std::vector<bool> dropped(network.resources.size(), false);
  std::vector<std::uint32_t> kept;  // of one fingerprint
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t r = order[i].second;
    if (i == 0 || order[i].first != order[i - 1].first) kept.clear();
    const auto is_twin = [&](std::uint32_t other) {
      return std::ranges::equal(uses.of(r), uses.of(other)) &&
             network.resources.capacity(ResourceId{r}) ==
                 network.resources.capacity(ResourceId{other});
    };
    dropped[r] = std::any_of(kept.begin(), kept.end(), is_twin);
    if (!dropped[r]) kept.push_back(r);
  }

  RouteTable routes;
  for (std::uint32_t i = 0; i < network.routes.size(); ++i) {
    std::vector<Crossing> crossings;
    for (const Crossing& c : network.routes.crossings(RouteId{i})) {
      const auto r = static_cast<std::size_t>(c.resource);
      if (r >= dropped.size() || !dropped[r]) crossings.push_back(c);
    }
    static_cast<void>(routes.add(std::move(crossings)));
  }
  return routes;
}

}  // namespace vgsim
