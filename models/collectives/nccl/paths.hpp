#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/graph.hpp"
#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// A path from one node of the graph to another.
struct Path {
  PathType type = PathType::kDis;
  float bandwidth = 0;  ///< GB/s, the minimum of its links
  std::vector<LinkId> links;

  [[nodiscard]] int hops() const { return static_cast<int>(links.size()); }
  bool operator==(const Path&) const = default;
};

/// Paths between GPUs, NETs, CPUs and NVSwitches by index among their kind.
class Paths {
 public:
  Paths() = default;
  explicit Paths(std::size_t nodes) : nodes_(nodes), paths_(nodes * nodes) {}

  [[nodiscard]] Path& at(NodeId from, NodeId to) { return paths_[from * nodes_ + to]; }
  [[nodiscard]] const Path& at(NodeId from, NodeId to) const { return paths_[from * nodes_ + to]; }
  bool operator==(const Paths&) const = default;

 private:
  std::size_t nodes_ = 0;
  std::vector<Path> paths_;
};

/// The shortest paths as NCCL finds them, to every GPU, device, NET, CPU and NVSwitch: breadth
/// first; of equally long paths the first of the fastest. A path can pass at most one GPU, between
/// two NVLinks. `nvb`: false if not even that (NCCL_NVB_DISABLE).
[[nodiscard]] Paths physical_paths(const Graph& graph, const Rules& rules, bool nvb);

/// The type of a path through an intermediate node: the worse of both; C2C and PHB become P2C if
/// the release has it.
[[nodiscard]] PathType joined(PathType a, PathType b, const Rules& rules);

/// Replaces the path by the one through `via`.
void divert(Paths& paths, NodeId from, NodeId via, NodeId to, const Rules& rules);

}  // namespace vgsim::collectives::nccl
