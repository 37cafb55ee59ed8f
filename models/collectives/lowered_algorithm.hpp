#pragma once

#include <optional>

#include "models/collectives/node_forms.hpp"
#include "models/collectives/step_costs.hpp"
#include "models/collectives/stream.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::collectives {

/// A limit on what crosses links of a kind: a share of them for all channels together, and bytes/s
/// of each channel.
struct LinkShare {
  topology::LinkKind kind{};
  double share = 1.0;
  std::optional<Ratio> of_channel;
};

/// What the streams of one group of ranks are built of.
struct StreamSite {
  const RankGroup& ranks;
  const StepCosts& costs;
  PlacedNetwork& placed;
  std::optional<NodeForms>& forms;  ///< made when they are first needed

  [[nodiscard]] const NodeForms& node_forms() const {
    if (!forms) forms.emplace(ranks, placed);
    return *forms;
  }
  [[nodiscard]] bool has_one_node() const { return ranks.decision().nodes.size() == 1; }
};

/// How a channel of one of NCCL's algorithms becomes a stream.
struct LoweredAlgorithm {
  nccl::Algorithm algorithm;
  Stream (*stream)(const StreamSite& site, const StreamRequest& request);
  /// Whether two channels take the same ways; nullptr: all do.
  bool (*alike)(const nccl::Decision& decision, int a, int b) = nullptr;
  /// The links that limit its channels; nullptr: thread blocks limit them.
  LinkShare (*share)(const StreamSite& site) = nullptr;
  bool two_trees = false;  ///< each channel is of one of two trees
  bool has_bulk = false;   ///< StepCosts::bulk
};

[[nodiscard]] const LoweredAlgorithm& lowered(nccl::Algorithm algorithm);

}  // namespace vgsim::collectives
