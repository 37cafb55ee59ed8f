#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// A shared resource with a capacity per second: one direction of a link, a memory bus, a copy
/// engine. Ids count from 0 in the order of ResourceTable::add; ties are broken in favour of the
/// lowest id.
enum class ResourceId : std::uint32_t {};

/// A list of crossings that flows can share. Ids count from 0 in the order of adding.
enum class RouteId : std::uint32_t {};

/// A flow of rate r takes `coefficient` * r from `resource`. A ring that crosses an edge twice has
/// coefficient 2 there. Crossings with coefficient 0 are ignored.
struct Crossing {
  ResourceId resource{};
  std::int64_t coefficient = 1;

  bool operator==(const Crossing&) const = default;
};

/// The resources of a network and their capacities at time 0, in amount per second (bytes/s for
/// links, FLOP/s for compute; flow amounts are in the matching unit).
class ResourceTable {
 public:
  ResourceTable() = default;
  explicit ResourceTable(std::vector<Ratio> capacities_per_second);

  /// Capacity 0 means down: flows that cross the resource stall.
  /// Throws std::invalid_argument when the capacity is negative.
  ResourceId add(Ratio capacity_per_second);

  [[nodiscard]] const Ratio& capacity(ResourceId id) const {
    return capacities_.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] std::size_t size() const { return capacities_.size(); }

 private:
  std::vector<Ratio> capacities_;
};

/// Routes, each stored once for any number of flows.
///
/// A stored route is in normal form: sorted by resource, each resource once, coefficients of
/// repeated resources added, zero coefficients dropped. Equivalent routes are therefore equal, and
/// the order of crossings does not matter.
class RouteTable {
 public:
  /// Throws std::invalid_argument on a negative coefficient, OverflowError when a sum of
  /// coefficients exceeds 64 bits. Networks that use the table check whether the resources exist.
  RouteId add(std::vector<Crossing> crossings);

  /// Valid until the next add. Throws std::out_of_range on an unknown id.
  [[nodiscard]] std::span<const Crossing> crossings(RouteId id) const;
  [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }

 private:
  std::vector<Crossing> crossings_;      // all routes, concatenated
  std::vector<std::size_t> offsets_{0};  // route i is [offsets_[i], offsets_[i + 1])
};

/// A capacity that changes while the simulation runs: a link fails, comes back or degrades.
struct CapacityChange {
  SimTime at{};
  ResourceId resource{};
  Ratio capacity_per_second;
};

/// The resources and routes of flows. Of several changes of one resource at one time the last
/// applies.
struct Network {
  ResourceTable resources;
  RouteTable routes;
  std::vector<CapacityChange> capacity_changes;
};

}  // namespace vgsim
