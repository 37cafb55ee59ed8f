#include "models/collectives/lowered_algorithm.hpp"

#include <array>

namespace vgsim::collectives {
namespace {

using nccl::Algorithm;
using nccl::Decision;

int copy_of(const Decision& decision, int channel) {
  return decision.origin.at(static_cast<std::size_t>(channel));
}

bool of_one_copy(const Decision& decision, int a, int b) {
  return copy_of(decision, a) == copy_of(decision, b);
}

bool of_one_search(const Decision& decision, int a, int b) {
  return (copy_of(decision, a) - copy_of(decision, b)) % decision.search_channels == 0;
}

bool every_other(const Decision& /*decision*/, int a, int b) { return (a - b) % 2 == 0; }

Stream ring(const StreamSite& site, const StreamRequest& request) {
  return ring_stream(site.ranks, request, site.costs, site.placed);
}

Stream tree(const StreamSite& site, const StreamRequest& request) {
  return tree_stream(site.ranks, request, site.costs, site.node_classes(), site.placed);
}

Stream in_network(const StreamSite& site, const StreamRequest& request) {
  return collnet_stream(site.ranks, request, site.costs, site.node_classes(), site.placed);
}

Stream nvls(const StreamSite& site, const StreamRequest& request) {
  if (!site.has_one_node()) return in_network(site, request);
  return nvls_stream(site.ranks, request, site.costs, site.node_classes(), site.placed);
}

Stream nvls_tree(const StreamSite& site, const StreamRequest& request) {
  return nvls_tree_stream(site.ranks, request, site.costs, site.node_classes(), site.placed);
}

LinkShare of_ports(const StreamSite& site) {
  return {topology::LinkKind::kNicPort, site.costs.in_network_share, std::nullopt};
}

LinkShare of_nvlink(const StreamSite& site, const ByGeneration<double>& share) {
  const auto generation = static_cast<std::size_t>(site.ranks.generation());
  return {topology::LinkKind::kNvLink, share[generation], site.costs.nvls_channel_rate[generation]};
}

LinkShare of_nvls(const StreamSite& site) {
  return site.has_one_node() ? of_nvlink(site, site.costs.nvls_share) : of_ports(site);
}

LinkShare of_nvls_tree(const StreamSite& site) {
  return of_nvlink(site, site.costs.nvls_tree_share);
}

/// In the order of Algorithm.
constexpr std::array<LoweredAlgorithm, nccl::kAlgorithms> kLowered{{
    {.algorithm = Algorithm::kTree,
     .stream = &tree,
     .alike = &of_one_copy,
     .two_trees = true,
     .has_bulk = true},
    {.algorithm = Algorithm::kRing, .stream = &ring, .alike = &of_one_search, .has_bulk = true},
    {.algorithm = Algorithm::kCollNetDirect, .stream = &in_network, .share = &of_ports},
    {.algorithm = Algorithm::kCollNetChain, .stream = &in_network, .share = &of_ports},
    {.algorithm = Algorithm::kNvls, .stream = &nvls, .share = &of_nvls},
    {.algorithm = Algorithm::kNvlsTree,
     .stream = &nvls_tree,
     .alike = &every_other,
     .share = &of_nvls_tree},
    {.algorithm = Algorithm::kPat, .stream = &ring, .alike = &of_one_search},
}};

constexpr bool are_in_order() {
  for (std::size_t a = 0; a < kLowered.size(); ++a) {
    if (kLowered[a].algorithm != static_cast<Algorithm>(a)) return false;
  }
  return true;
}
static_assert(are_in_order());

}  // namespace

const LoweredAlgorithm& lowered(Algorithm algorithm) {
  return kLowered.at(static_cast<std::size_t>(algorithm));
}

}  // namespace vgsim::collectives
