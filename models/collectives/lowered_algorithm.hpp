#pragma once

#include <optional>

#include "models/collectives/node_classes.hpp"
#include "models/collectives/step_costs.hpp"
#include "models/collectives/stream.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::collectives {

/// A limit on the use of a kind of link: a share of it for all channels together, and bytes/s for
/// each channel.
struct LinkShare {
  topology::LinkKind kind{};
  double share = 1.0;
  std::optional<Ratio> of_channel;
};

/// Context to build the streams of one group of ranks.
struct StreamSite {
  const RankGroup& ranks;
  const StepCosts& costs;
  PlacedNetwork& placed;
  std::optional<NodeClasses>& cache;  ///< created on first use

  [[nodiscard]] const NodeClasses& node_classes() const {
    if (!cache) cache.emplace(ranks, placed);
    return *cache;
  }
  [[nodiscard]] bool has_one_node() const { return ranks.decision().nodes.size() == 1; }
};

/// The conversion of a channel of an NCCL algorithm to a stream.
struct LoweredAlgorithm {
  nccl::Algorithm algorithm;
  Stream (*stream)(const StreamSite& site, const StreamRequest& request);
  /// Whether two channels use the same paths; nullptr: all channels do.
  bool (*alike)(const nccl::Decision& decision, int a, int b) = nullptr;
  /// The link share that limits its channels; nullptr: thread blocks limit them.
  LinkShare (*share)(const StreamSite& site) = nullptr;
  bool two_trees = false;  ///< each channel belongs to one of two trees
  bool has_bulk = false;   ///< StepCosts::bulk
};

[[nodiscard]] const LoweredAlgorithm& lowered(nccl::Algorithm algorithm);

}  // namespace vgsim::collectives
