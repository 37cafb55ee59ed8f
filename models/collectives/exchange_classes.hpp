#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/rank_group.hpp"
#include "topology/fabric.hpp"

namespace vgsim::collectives {

/// Hosts and fabric links that carry the same while all ranks send to all.
struct ExchangeClasses {
  std::vector<std::size_t> of_host;                      ///< from 0 without gaps
  std::vector<std::vector<topology::FabricLink>> links;  ///< by class, those that are crossed
};

/// What is known of each host before.
struct HostGroups {
  /// Hosts of one number may differ in what their links carry, but in nothing else: they are of one
  /// kind and hold the same views in the same order.
  std::vector<std::size_t> alike;
  /// Of one number are hosts that also hang on the same leaves and are reached by the same spines.
  std::vector<std::size_t> same_place;
};

/// The coarsest classes for which each host of a class has as many pairs of each kind, by sender
/// and by receiver, and each link too; a kind is the classes of both hosts, the places of both
/// ranks in them, and the classes of the links between. By colour refinement (see
/// coarsest_equitable_partition) over groups of hosts in the same place instead of over pairs:
/// O(g^2) a round for g GPUs of such groups. Signatures are compared by sums of 128 bits.
[[nodiscard]] ExchangeClasses exchange_classes(const RankGroup& ranks, const HostGroups& groups);

}  // namespace vgsim::collectives
