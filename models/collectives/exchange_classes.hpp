#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/rank_group.hpp"
#include "topology/fabric.hpp"

namespace vgsim::collectives {

/// Hosts and fabric links with identical traffic while all ranks send to all.
struct ExchangeClasses {
  std::vector<std::size_t> of_host;                      ///< numbered from 0 without gaps
  std::vector<std::vector<topology::FabricLink>> links;  ///< by class; links that carry traffic
};

/// Groups of hosts known to be similar.
struct HostGroups {
  /// Hosts with the same number can differ only in the traffic of their links: they are of one kind
  /// and hold the same views in the same order.
  std::vector<std::size_t> alike;
  /// Hosts with the same number are also attached to the same leaves and reached through the same
  /// spines.
  std::vector<std::size_t> same_place;
};

/// The coarsest classes in which all hosts of a class, and all links of a class, have equally many
/// pairs of each kind, by sender and by receiver. The kind of a pair is the classes of both hosts,
/// the positions of both ranks in them, and the classes of the links between them. Found by colour
/// refinement (see coarsest_equitable_partition) over groups of hosts in the same place: O(g^2) for
/// each round with g GPUs of such groups. Signatures are compared by 128-bit sums.
[[nodiscard]] ExchangeClasses exchange_classes(const RankGroup& ranks, const HostGroups& groups);

}  // namespace vgsim::collectives
