#include "models/scenario/build/host_roles.hpp"

#include <map>

#include "models/collectives/nccl/search/double_tree.hpp"

namespace vgsim::scenario {
namespace {

/// For each node: the number of earlier nodes in its host.
std::vector<int> numbers_in_host(const std::vector<std::size_t>& host_of_node) {
  std::map<std::size_t, int> counts;
  std::vector<int> result;
  for (const std::size_t host : host_of_node) result.push_back(counts[host]++);
  return result;
}

}  // namespace

Roles roles_of_nodes(const collectives::nccl::Decision& decision,
                     const std::vector<std::size_t>& host_of_node) {
  constexpr int kNoNode = 0;
  constexpr int kElsewhere = 1;
  constexpr int kFirstHere = 2;
  const std::vector<int> number = numbers_in_host(host_of_node);
  const auto nodes = static_cast<int>(host_of_node.size());
  Roles roles(host_of_node.size());
  for (int n = 0; n < nodes; ++n) {
    std::vector<int>& role = roles[static_cast<std::size_t>(n)];
    const auto add = [&](int other) {
      const auto at = static_cast<std::size_t>(other);
      const bool here = other >= 0 && host_of_node[at] == host_of_node[static_cast<std::size_t>(n)];
      role.push_back(other < 0 ? kNoNode : here ? kFirstHere + number[at] : kElsewhere);
    };
    for (const int tree : {0, 1}) {
      const auto place = collectives::nccl::tree_place(nodes, n, tree);
      add(place.parent);
      for (const int child : place.children) add(child);
    }
    add((n + 1) % nodes);
    add((n + nodes - 1) % nodes);
    role.push_back(decision.ring.cross_nic == 2 ? n % 2 : 0);
  }
  return roles;
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
