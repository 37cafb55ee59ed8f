#include "models/collectives/nccl/search/double_tree.hpp"

namespace vgsim::collectives::nccl {
namespace {

TreePlace in_order(int nodes, int node) {
  TreePlace place;
  int step = 1;
  while (step < nodes && (node & step) == 0) step *= 2;
  if (node == 0) {
    if (nodes > 1) place.children[1] = step / 2;
    return place;
  }
  const int up = (node ^ step) | (2 * step);
  place.parent = up < nodes ? up : node ^ step;
  place.child_of_parent = node < place.parent ? 0 : 1;
  int reach = step / 2;
  if (reach > 0) place.children[0] = node - reach;
  while (reach > 0 && node + reach >= nodes) reach /= 2;
  if (reach > 0) place.children[1] = node + reach;
  return place;
}

}  // namespace

TreePlace tree_place(int nodes, int node, int tree) {
  if (tree == 0) return in_order(nodes, node);
  const bool mirror = nodes % 2 == 0;
  TreePlace place = in_order(nodes, mirror ? nodes - 1 - node : (node - 1 + nodes) % nodes);
  const auto back = [&](int other) {
    if (other < 0) return other;
    return mirror ? nodes - 1 - other : (other + 1) % nodes;
  };
  place.parent = back(place.parent);
  for (int& child : place.children) child = back(child);
  return place;
}

}  // namespace vgsim::collectives::nccl
