#include "models/scenario/build/host_roles.hpp"

#include <map>

#include "models/collectives/nccl/search/double_tree.hpp"

namespace vgsim::scenario {

void add_role(const collectives::nccl::Decision& decision, std::size_t node,
              std::vector<int>& role) {
  const auto nodes = static_cast<int>(decision.nodes.size());
  for (const int tree : {0, 1}) {
    const auto place = collectives::nccl::tree_place(nodes, static_cast<int>(node), tree);
    role.push_back(place.parent >= 0 ? 1 : 0);
    for (const int child : place.children) role.push_back(child >= 0 ? 1 : 0);
  }
  role.push_back(decision.ring.cross_nic == 2 ? static_cast<int>(node % 2) : 0);
}

std::vector<std::size_t> numbered(const Roles& roles) {
  std::map<std::vector<int>, std::size_t> classes;
  std::vector<std::size_t> result;
  result.reserve(roles.size());
  for (const std::vector<int>& role : roles) {
    result.push_back(classes.try_emplace(role, classes.size()).first->second);
  }
  return result;
}

}  // namespace vgsim::scenario
