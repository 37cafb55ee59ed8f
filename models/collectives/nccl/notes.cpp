#include "models/collectives/nccl/notes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/collectives/nccl/local_nets.hpp"
#include "models/collectives/nccl/words.hpp"

namespace vgsim::collectives::nccl {
namespace {

void note_split_hosts(const Outcome& outcome, std::vector<Note>& notes) {
  const Decision& decision = outcome.decision;
  const std::size_t parts = decision.nodes.size() / outcome.hosts;
  if (parts < 2) return;
  std::string groups;
  for (std::size_t n = 0; n < parts; ++n) {
    groups += (n == 0 ? "" : "; ") + numbers_text(decision.kinds[decision.nodes[n].kind].ranks);
  }
  notes.push_back(
      {"nccl-host-split",
       fmt::format(
           "each host counts as {} nodes (GPUs {}), which communicate through the NICs: these are "
           "faster than the path between them inside the host; NCCL_NET_DISABLE_INTRA=1 "
           "keeps the host whole",
           parts, groups)});
}

void note_staging(const Outcome& outcome, std::vector<Note>& notes) {
  std::size_t staged = 0;
  std::size_t pairs = 0;
  for (const NodeKind& kind : outcome.decision.kinds) {
    const auto& transports = kind.connected.transports;
    for (std::size_t a = 0; a < transports.size(); ++a) {
      for (std::size_t b = a + 1; b < transports.size(); ++b) {
        ++pairs;
        staged += transports[a][b] == Transport::kShm ? std::size_t{1} : 0;
      }
    }
  }
  if (staged == 0) return;
  notes.push_back({"nccl-host-memory",
                   fmt::format("{} GPU pairs inside nodes exchange data through host memory (SHM): "
                               "their PCIe path is beyond NCCL_P2P_LEVEL",
                               staged == pairs ? fmt::format("all {}", pairs)
                                               : fmt::format("{} of {}", staged, pairs))});
}

void note_gpu_direct(const Outcome& outcome, std::vector<Note>& notes) {
  if (outcome.decision.nodes.size() < 2) return;
  std::size_t without = 0;
  std::size_t gpus = 0;
  PathType worst = PathType::kLoc;
  for (const NodeKind& kind : outcome.decision.kinds) {
    const Connected& connected = kind.connected;
    for (std::size_t gpu = 0; gpu < connected.graph.gpus.size(); ++gpu) {
      ++gpus;
      const auto nets = nearest_nets(connected.graph, connected.paths, gpu);
      const auto direct = [&](std::size_t net) {
        return connected.gdr[gpu][net].send && connected.gdr[gpu][net].receive;
      };
      if (nets.empty() || std::any_of(nets.begin(), nets.end(), direct)) continue;
      ++without;
      worst = std::max(
          worst, connected.paths
                     .at(connected.graph.gpus[gpu].node, connected.graph.nets[nets.front()].node)
                     .type);
    }
  }
  if (without == 0) return;
  notes.push_back(
      {"nccl-no-gpudirect",
       fmt::format("{} of {} GPUs have no NIC with GPUDirect RDMA in both directions (path {}): "
                   "their data crosses host memory on the way to the network",
                   without, gpus, to_string(worst))});
}

void note_fallback(const char* what, const AgreedGraph& graph, std::vector<Note>& notes) {
  constexpr double kFallback = 0.1;
  if (graph.channels == 0 || graph.speed_intra > kFallback) return;
  notes.push_back({"nccl-search-fallback",
                   fmt::format("the search found no {}; NCCL uses 1 channel and assumes {} GB/s",
                               what, kFallback)});
}

/// A ring and a tree have the same number of channels, so one bad graph limits the other.
void note_channels(const Decision& decision, std::vector<Note>& notes) {
  const auto [less, more] = std::minmax(decision.ring.channels, decision.tree.channels);
  if (less == more) return;
  const bool rings = decision.ring.channels > decision.tree.channels;
  notes.push_back({"nccl-common-channels",
                   fmt::format("the search found {} {} channels but {} of {}: both use {}", more,
                               rings ? "ring" : "tree", less, rings ? "trees" : "rings", less)});
}

void note_ll128(const Outcome& outcome, std::vector<Note>& notes) {
  const auto& costs = outcome.costs.costs[static_cast<std::size_t>(Function::kAllReduce)];
  const bool used = std::any_of(costs.begin(), costs.end(), [](const auto& algorithm) {
    return algorithm[static_cast<std::size_t>(Protocol::kLl128)].bandwidth > 0;
  });
  const Cost& ring_of_simple =
      outcome.costs.of(Function::kAllReduce, Algorithm::kRing, Protocol::kSimple);
  if (used || ring_of_simple.bandwidth <= 0) return;
  const AgreedGraph& ring = outcome.communicator.ring;
  const bool several = outcome.decision.nodes.size() > 1;
  notes.push_back({"nccl-no-ll128",
                   fmt::format("LL128 is off (paths {}{}, compute capability {:.1f}): medium sizes "
                               "use LL or Simple",
                               to_string(ring.type_intra),
                               several ? fmt::format(" and {}", to_string(ring.type_inter)) : "",
                               outcome.communicator.min_sm / 10.0)});
}

}  // namespace

std::vector<Note> notes_of(const Outcome& outcome) {
  std::vector<Note> notes;
  if (outcome.communicator.ranks < 2) return notes;
  note_split_hosts(outcome, notes);
  note_staging(outcome, notes);
  note_gpu_direct(outcome, notes);
  note_fallback("ring", outcome.decision.ring, notes);
  note_fallback("tree", outcome.decision.tree, notes);
  note_channels(outcome.decision, notes);
  note_ll128(outcome, notes);
  return notes;
}

}  // namespace vgsim::collectives::nccl
