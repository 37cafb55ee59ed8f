#include "models/collectives/nccl/search/double_tree.hpp"

#include <gtest/gtest.h>

namespace vgsim::collectives::nccl {
namespace double_tree_test {

/// Parents and children are consistent, all nodes are below one root, and an inner node of one tree
/// is a leaf of the other, except for at most two nodes.
TEST(NcclDoubleTree, IsTwoTreesThatShareTheWork) {
  for (int nodes = 1; nodes <= 40; ++nodes) {
    int inner_in_both = 0;
    for (int node = 0; node < nodes; ++node) {
      int trees_with_children = 0;
      for (int tree = 0; tree < 2; ++tree) {
        const TreePlace place = tree_place(nodes, node, tree);
        for (const int child : place.children) {
          if (child >= 0) {
            EXPECT_EQ(tree_place(nodes, child, tree).parent, node);
          }
        }
        if (place.children[0] >= 0 || place.children[1] >= 0) ++trees_with_children;
        int up = node;
        int steps = 0;
        while (tree_place(nodes, up, tree).parent >= 0 && ++steps <= nodes) {
          up = tree_place(nodes, up, tree).parent;
        }
        EXPECT_LE(steps, 7) << "no deeper than log2(40) + 1";
      }
      if (trees_with_children == 2) ++inner_in_both;
    }
    EXPECT_LE(inner_in_both, 2) << nodes;
  }
}

TEST(NcclDoubleTree, FirstTreeStandsInOrder) {
  EXPECT_EQ(tree_place(8, 0, 0).children[1], 4);
  EXPECT_EQ(tree_place(8, 4, 0).parent, 0);
  EXPECT_EQ(tree_place(8, 2, 0).parent, 4);
  EXPECT_EQ(tree_place(8, 3, 0).parent, 2);
  EXPECT_EQ(tree_place(6, 5, 0).parent, 4);
}

}  // namespace double_tree_test
}  // namespace vgsim::collectives::nccl
