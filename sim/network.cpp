#include "sim/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vgsim {

ResourceTable::ResourceTable(std::vector<Ratio> capacities_per_second) {
  for (Ratio& capacity : capacities_per_second) add(std::move(capacity));
}

ResourceId ResourceTable::add(Ratio capacity_per_second) {
  if (capacity_per_second < 0) throw std::invalid_argument("a capacity is negative");
  capacities_.push_back(std::move(capacity_per_second));
  return static_cast<ResourceId>(capacities_.size() - 1);
}

RouteId RouteTable::add(std::vector<Crossing> crossings) {
  const std::size_t begin = crossings_.size();
  const auto lower = [](const Crossing& a, const Crossing& b) { return a.resource < b.resource; };
  if (!std::is_sorted(crossings.begin(), crossings.end(), lower)) {
    std::sort(crossings.begin(), crossings.end(), lower);
  }
  for (const Crossing& crossing : crossings) {
    if (crossing.coefficient < 0) throw std::invalid_argument("a coefficient is negative");
  }
  std::vector<Crossing> merged;
  for (const Crossing& crossing : crossings) {
    if (crossing.coefficient == 0) continue;
    if (merged.empty() || merged.back().resource != crossing.resource) {
      merged.push_back(crossing);
    } else if (__builtin_add_overflow(merged.back().coefficient, crossing.coefficient,
                                      &merged.back().coefficient)) {
      throw OverflowError("the coefficients of a crossing exceed the signed 64-bit range");
    }
  }
  crossings_.insert(crossings_.end(), merged.begin(), merged.end());
  offsets_.push_back(begin + merged.size());
  return static_cast<RouteId>(offsets_.size() - 2);
}

std::span<const Crossing> RouteTable::crossings(RouteId id) const {
  const auto i = static_cast<std::size_t>(id);
  const std::size_t begin = offsets_.at(i);
  return std::span(crossings_).subspan(begin, offsets_.at(i + 1) - begin);
}

}  // namespace vgsim
