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

namespace {

void add_to(std::int64_t& sum, std::int64_t coefficient) {
  if (__builtin_add_overflow(sum, coefficient, &sum)) {
    throw OverflowError("the coefficients of a crossing exceed the signed 64-bit range");
  }
}

/// Sums coefficients in an array by resource; for lists that cover many of the resource ids.
std::vector<Crossing> merged_by_counting(const std::vector<Crossing>& crossings,
                                         std::size_t resources) {
  std::vector<std::int64_t> sums(resources, 0);
  for (const Crossing& each : crossings) {
    add_to(sums[static_cast<std::size_t>(each.resource)], each.coefficient);
  }
  std::vector<Crossing> merged;
  for (std::uint32_t r = 0; r < resources; ++r) {
    if (sums[r] != 0) merged.push_back({ResourceId{r}, sums[r]});
  }
  return merged;
}

std::vector<Crossing> merged_by_sorting(std::vector<Crossing> crossings) {
  const auto lower = [](const Crossing& a, const Crossing& b) { return a.resource < b.resource; };
  if (!std::is_sorted(crossings.begin(), crossings.end(), lower)) {
    std::sort(crossings.begin(), crossings.end(), lower);
  }
  std::vector<Crossing> merged;
  for (const Crossing& each : crossings) {
    if (each.coefficient == 0) continue;
    if (merged.empty() || merged.back().resource != each.resource) {
      merged.push_back(each);
    } else {
      add_to(merged.back().coefficient, each.coefficient);
    }
  }
  return merged;
}

}  // namespace

RouteId RouteTable::add(std::vector<Crossing> crossings) {
  std::size_t resources = 0;
  for (const Crossing& each : crossings) {
    if (each.coefficient < 0) throw std::invalid_argument("a coefficient is negative");
    resources = std::max(resources, static_cast<std::size_t>(each.resource) + 1);
  }
  constexpr std::size_t kScansPerSort =
      32;  // scanning this many resources is faster than sorting one
  const std::vector<Crossing> merged = resources <= kScansPerSort * crossings.size()
                                           ? merged_by_counting(crossings, resources)
                                           : merged_by_sorting(std::move(crossings));
  crossings_.insert(crossings_.end(), merged.begin(), merged.end());
  offsets_.push_back(crossings_.size());
  return static_cast<RouteId>(offsets_.size() - 2);
}

std::span<const Crossing> RouteTable::crossings(RouteId id) const {
  const auto i = static_cast<std::size_t>(id);
  const std::size_t begin = offsets_.at(i);
  return std::span(crossings_).subspan(begin, offsets_.at(i + 1) - begin);
}

}  // namespace vgsim
