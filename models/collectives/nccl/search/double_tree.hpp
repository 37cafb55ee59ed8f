#pragma once

#include <array>
#include <cstdint>

namespace vgsim::collectives::nccl {

/// A node's place in one of the two binary trees over all nodes; -1: none.
struct TreePlace {
  int parent = -1;
  std::array<int, 2> children{-1, -1};
  /// Which child of its parent it is; 0 for the root.
  int child_of_parent = 0;
};

/// NCCL's double binary tree: who is an inner node in one tree is a leaf in the other. In tree 0
/// node 0 is the root and the others stand in order, leaves at odd numbers; tree 1 is its mirror
/// image if `nodes` is even, else moved on by one. `tree`: 0 or 1.
[[nodiscard]] TreePlace tree_place(int nodes, int node, int tree);

}  // namespace vgsim::collectives::nccl
