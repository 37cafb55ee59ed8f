#include "sim/reduced_routes.hpp"

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

/// Routes with fewer crossings have no core: they cost little to solve.
constexpr std::size_t kLong = 64;

/// The routes that cross each resource, restricted to the selected routes.
class Uses {
 public:
  Uses(std::size_t resources, const RouteTable& routes, const std::vector<bool>& selected)
      : offsets_(resources + 1, 0) {
    each_crossing(routes, selected, [&](std::uint32_t, const Crossing& c) {
      ++offsets_[static_cast<std::size_t>(c.resource) + 1];
    });
    for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    uses_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    each_crossing(routes, selected, [&](std::uint32_t route, const Crossing& c) {
      uses_[next[static_cast<std::size_t>(c.resource)]++] = {route, c.coefficient};
    });
  }

  [[nodiscard]] std::span<const Use> of(std::uint32_t resource) const {
    return std::span(uses_).subspan(offsets_[resource],
                                    offsets_[resource + 1] - offsets_[resource]);
  }

 private:
  template <class Visit>
  void each_crossing(const RouteTable& routes, const std::vector<bool>& selected,
                     const Visit& visit) {
    const std::size_t resources = offsets_.size() - 1;
    for (std::uint32_t r = 0; r < selected.size(); ++r) {
      if (!selected[r]) continue;
      for (const Crossing& c : routes.crossings(RouteId{r})) {
        if (static_cast<std::size_t>(c.resource) < resources) visit(r, c);
      }
    }
  }

  std::vector<std::size_t> offsets_;
  std::vector<Use> uses_;
};

/// Which resources keep their capacity for the whole run.
std::vector<bool> steady(const Network& network) {
  std::vector<bool> result(network.resources.size(), true);
  for (const CapacityChange& change : network.capacity_changes) {
    const auto r = static_cast<std::size_t>(change.resource);
    if (r < result.size()) result[r] = false;
  }
  return result;
}

/// Which resources have a twin with a lower id, considering the selected routes only.
std::vector<bool> twins(const Network& network, const RouteTable& routes,
                        const std::vector<bool>& selected) {
  const Uses uses(network.resources.size(), routes, selected);
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
  std::vector<std::uint32_t> kept;  // with the current fingerprint
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
  return dropped;
}

std::vector<Crossing> without(std::span<const Crossing> crossings,
                              const std::vector<bool>& dropped) {
  std::vector<Crossing> result;
  for (const Crossing& c : crossings) {
    const auto r = static_cast<std::size_t>(c.resource);
    if (r >= dropped.size() || !dropped[r]) result.push_back(c);
  }
  return result;
}

}  // namespace

ReducedRoutes::ReducedRoutes(const Network& network)
    : cores_(network.routes.size()), invalidating_(network.routes.size(), false) {
  const std::size_t count = network.routes.size();
  const std::vector<bool> twin = twins(network, network.routes, std::vector<bool>(count, true));
  std::vector<bool> is_long(count, false);
  for (std::uint32_t r = 0; r < count; ++r) {
    const RouteId reduced = routes_.add(without(network.routes.crossings(RouteId{r}), twin));
    is_long[r] = routes_.crossings(reduced).size() >= kLong;
  }
  const std::vector<bool> omitted = twins(network, routes_, is_long);
  for (std::uint32_t r = 0; r < count; ++r) {
    const auto crossings = routes_.crossings(RouteId{r});
    if (is_long[r]) {
      std::vector<Crossing> core = without(crossings, omitted);
      cores_[r] = routes_.add(std::move(core));
    } else {
      invalidating_[r] = std::any_of(crossings.begin(), crossings.end(), [&](const Crossing& c) {
        const auto resource = static_cast<std::size_t>(c.resource);
        return resource < omitted.size() && omitted[resource];
      });
    }
  }
}

}  // namespace vgsim
