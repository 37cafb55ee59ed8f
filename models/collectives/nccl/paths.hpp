#pragma once

#include <cstddef>
#include <vector>

#include "models/collectives/nccl/graph.hpp"
#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// A way from one node of the graph to another.
struct Path {
  PathType type = PathType::kDis;
  float bandwidth = 0;  ///< GB/s, the least of its links
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

/// The shortest ways as NCCL finds them, to every GPU, device, NET, CPU and NVSwitch: breadth
/// first, of equally long ones the first of the fastest. A GPU is passed through only between two
/// NVLinks, and only one. `nvb`: false if not even that (NCCL_NVB_DISABLE).
[[nodiscard]] Paths physical_paths(const Graph& graph, const Rules& rules, bool nvb);

/// Type of a path made of two: the worse one, but C2C and PHB are P2C where that exists.
[[nodiscard]] PathType joined(PathType a, PathType b, const Rules& rules);

/// Replaces the path by the one over `via`.
void divert(Paths& paths, NodeId from, NodeId via, NodeId to, const Rules& rules);

}  // namespace vgsim::collectives::nccl
