#include "models/collectives/node_classes.hpp"

#include <map>
#include <tuple>

namespace vgsim::collectives {

NodeClasses::NodeClasses(const RankGroup& ranks, const PlacedNetwork& placed) {
  using Key = std::tuple<std::size_t, std::size_t, std::size_t>;  // kind, view, class of the host
  const nccl::Decision& decision = ranks.decision();
  std::map<Key, std::vector<std::size_t>> by_key;
  for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
    const PlacedVm& vm = ranks.vms()[decision.nodes[n].host];
    by_key[{decision.nodes[n].kind, vm.view, placed.class_of(vm.host)}].push_back(n);
  }
  of_node.resize(decision.nodes.size());
  for (auto& [key, members] : by_key) {
    for (const std::size_t n : members) of_node[n] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(std::move(members));
  }
  const auto count = static_cast<int>(decision.nodes.size());
  for (int tree = 0; tree < 2; ++tree) {
    std::vector<nccl::TreePlace>& places = in_trees.at(static_cast<std::size_t>(tree));
    for (int n = 0; n < count; ++n) places.push_back(nccl::tree_place(count, n, tree));
  }
}

void NodeLegs::cross_fabric(Pair& pair, std::size_t from_host, std::size_t to_host,
                            std::int64_t times) {
  pair.there.fabric = ranks_->path_of(pair.there, from_host, to_host);
  pair.back.fabric = ranks_->path_of(pair.back, to_host, from_host);
  route_->cross(pair.there.fabric, times);
  route_->cross(pair.back.fabric, times);
}

void NodeLegs::end() {
  for (const auto& [key, pair] : pairs_) {
    for (const Leg* leg : {&pair.there, &pair.back}) {
      route_->cross(leg->from_host, *leg->leaving, pair.times);
      route_->cross(leg->to_host, *leg->arriving, pair.times);
    }
  }
}

}  // namespace vgsim::collectives
