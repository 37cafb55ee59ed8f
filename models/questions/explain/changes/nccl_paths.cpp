#include "models/questions/explain/changes/nccl_paths.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "models/collectives/choice.hpp"
#include "models/collectives/nccl/local_nets.hpp"
#include "models/scenario/build/prepared.hpp"

namespace vgsim::scenario {
namespace {

namespace nccl = collectives::nccl;

void note_peers(nccl::PathType type, NcclPaths& paths) {
  if (type == nccl::PathType::kPix || type == nccl::PathType::kPxb) paths.below_switches = true;
  if (type == nccl::PathType::kPhb || type == nccl::PathType::kSys) paths.through_roots = true;
}

/// GPUs of one node among each other.
void note_gpus(const nccl::Connected& connected, NcclPaths& paths) {
  const auto& gpus = connected.graph.gpus;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = 0; b < gpus.size(); ++b) {
      const nccl::Transport transport = connected.transports[a][b];
      if (transport == nccl::Transport::kShm) paths.host_memory = true;
      if (transport != nccl::Transport::kP2p) continue;
      note_peers(connected.paths.at(gpus[a].node, gpus[b].node).type, paths);
    }
  }
  if (connected.graph.pcie_p2p) paths.allows_peers = true;
}

/// GPUs of one of several nodes and their NICs.
void note_nets(const nccl::Connected& connected, NcclPaths& paths) {
  for (std::size_t gpu = 0; gpu < connected.graph.gpus.size(); ++gpu) {
    const auto nearest = nccl::nearest_nets(connected.graph, connected.paths, gpu);
    bool is_direct = nearest.empty();
    for (const std::size_t net : nearest) {
      const std::size_t relay = connected.relay[gpu][net];
      if (relay != gpu) paths.relays = true;
      const nccl::GdrUse& use = connected.gdr[relay][net];
      if (use.receive && !use.send) paths.only_receives = true;
      is_direct = is_direct || (use.send && use.receive);
      if (!use.send && !use.receive) continue;
      note_peers(
          connected.paths.at(connected.graph.gpus[relay].node, connected.graph.nets[net].node).type,
          paths);
    }
    if (!is_direct) paths.without_gpudirect = true;
    const auto& relays = connected.relay[gpu];
    if (std::ranges::any_of(relays, [&](std::size_t relay) { return relay != gpu; })) {
      paths.relays_to_rails = true;
    }
  }
}

/// Without a result of its search NCCL uses one channel with this speed, in GB/s.
bool has_failed(const nccl::AgreedGraph& graph) {
  constexpr double kFallback = 0.1;
  return graph.channels > 0 && graph.speed_intra <= kFallback;
}

/// NCCL's own spelling of an algorithm.
std::string spelled(const std::string& algorithm) {
  static const std::map<std::string, std::string> names = {{"tree", "Tree"},
                                                           {"ring", "Ring"},
                                                           {"collnetdirect", "CollNetDirect"},
                                                           {"collnetchain", "CollNetChain"},
                                                           {"nvls", "NVLS"},
                                                           {"nvlstree", "NVLSTree"},
                                                           {"pat", "PAT"}};
  const auto name = names.find(algorithm);
  return name == names.end() ? algorithm : name->second;
}

struct Choices {
  NcclChoice now;
  std::optional<NcclChoice> other;
};

NcclChoice words_of(const nccl::Candidate& candidate) {
  return {nccl::to_string(candidate.algorithm), nccl::to_string(candidate.protocol), candidate.us};
}

/// Of a bucket of mean size; nothing for jobs that shard more than their data.
std::optional<Choices> choices_of(const TrainingResult& training, const ChangeContext& at) {
  if (training.algorithms.empty() || training.buckets == 0) return std::nullopt;
  const Bytes mean{
      static_cast<std::int64_t>(training.gradient_bytes / static_cast<double>(training.buckets))};
  const collectives::Chooser chooser(at.prepared.layouts.front().placement.ranks());
  const auto choice = chooser.choose(collectives::Collective::kAllReduce, mean);
  if (!choice) return std::nullopt;
  Choices choices{words_of(choice->chosen), {}};
  if (choice->runner_up) choices.other = words_of(*choice->runner_up);
  return choices;
}

std::optional<Choices> choices_of(const ChangeContext& at) {
  if (at.result.training) return choices_of(*at.result.training, at);
  if (!at.result.collective || at.result.collective->points.empty()) return std::nullopt;
  const auto& points = at.result.collective->points;
  const auto largest = std::ranges::max_element(points, {}, &CollectivePoint::size);
  if (!largest->choice) return std::nullopt;
  return Choices{*largest->choice, largest->runner_up};
}

}  // namespace

NcclPaths nccl_paths(const ChangeContext& at) {
  NcclPaths paths;
  const Placement& placement = at.prepared.layouts.front().placement;
  if (placement.communicators == nullptr || !placement.ranks().is_joined()) return paths;
  const nccl::Decision& decision = placement.ranks().decision();
  std::set<std::size_t> machines;
  for (const nccl::NcclNode& node : decision.nodes) machines.insert(node.host);
  paths.several_nodes = decision.nodes.size() > 1;
  paths.splits_hosts = decision.nodes.size() > machines.size();
  for (const nccl::NodeKind& kind : decision.kinds) {
    note_gpus(kind.connected, paths);
    if (paths.several_nodes) note_nets(kind.connected, paths);
  }
  paths.search_failed = has_failed(decision.ring) || has_failed(decision.tree);
  return paths;
}

std::optional<OtherChoice> runner_up_of(const ChangeContext& at) {
  const auto choices = choices_of(at);
  if (!choices || !choices->other) return std::nullopt;
  const NcclChoice& now = choices->now;
  const NcclChoice& other = *choices->other;
  const bool same = now.algorithm == other.algorithm;
  return OtherChoice{same ? "NCCL_PROTO" : "NCCL_ALGO",
                     same ? other.protocol : spelled(other.algorithm),
                     fmt::format("{} {}", spelled(now.algorithm), now.protocol),
                     fmt::format("{} {}", spelled(other.algorithm), other.protocol)};
}

bool takes_simple(const ChangeContext& at) {
  const auto choices = choices_of(at);
  return choices && choices->now.protocol == "Simple";
}

}  // namespace vgsim::scenario
