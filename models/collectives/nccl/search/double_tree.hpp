#pragma once

#include <array>
#include <cstdint>

namespace vgsim::collectives::nccl {

/// The position of a node in one of the two binary trees over all nodes; -1: none.
struct TreePlace {
  int parent = -1;
  std::array<int, 2> children{-1, -1};
  /// The index among its parent's children; 0 for the root.
  int child_of_parent = 0;
};

/// NCCL's double binary tree: an inner node of one tree is a leaf of the other. In tree 0 node 0 is
/// the root and the others are in order, leaves at odd numbers. Tree 1 is its mirror image if
/// `nodes` is even, else shifted by one. `tree`: 0 or 1.
[[nodiscard]] TreePlace tree_place(int nodes, int node, int tree);

}  // namespace vgsim::collectives::nccl
