#include "tools/cli/text/nccl_paths_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "models/collectives/nccl/local_nets.hpp"
#include "models/collectives/nccl/words.hpp"
#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

namespace nccl = collectives::nccl;
using nccl::Connected;

constexpr std::size_t kWidestMatrix = 16;
constexpr std::size_t kMostPairsNamed = 8;

/// Pairs of GPUs with equal paths.
struct PairClass {
  nccl::PathType type;
  float bandwidth;
  nccl::Transport transport;
  std::vector<std::pair<int, int>> pairs;  ///< ranks

  [[nodiscard]] auto key() const { return std::tuple(type, -bandwidth, transport); }
};

std::vector<PairClass> pair_classes(const nccl::NodeKind& kind) {
  const nccl::Graph& graph = kind.connected.graph;
  std::vector<PairClass> classes;
  for (std::size_t a = 0; a < graph.gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < graph.gpus.size(); ++b) {
      const nccl::Path& path = kind.connected.paths.at(graph.gpus[a].node, graph.gpus[b].node);
      PairClass pair{path.type, path.bandwidth, kind.connected.transports[a][b], {}};
      auto same = std::find_if(classes.begin(), classes.end(),
                               [&](const PairClass& c) { return c.key() == pair.key(); });
      if (same == classes.end()) same = classes.insert(same, pair);
      same->pairs.emplace_back(graph.gpus[a].rank, graph.gpus[b].rank);
    }
  }
  std::sort(classes.begin(), classes.end(),
            [](const PairClass& a, const PairClass& b) { return a.key() < b.key(); });
  return classes;
}

std::string pairs_text(const PairClass& pairs, bool is_only, bool is_last) {
  const std::size_t count = pairs.pairs.size();
  if (is_only) return count == 1 ? "the pair" : fmt::format("all {} pairs", count);
  if (is_last && count > kMostPairsNamed) return fmt::format("the other {} pairs", count);
  std::string text;
  for (std::size_t i = 0; i < std::min(count, kMostPairsNamed); ++i) {
    text += fmt::format("{}{}-{}", i == 0 ? "" : ", ", pairs.pairs[i].first, pairs.pairs[i].second);
  }
  return count > kMostPairsNamed
             ? fmt::format("{} and {} more pairs", text, count - kMostPairsNamed)
             : text;
}

std::string matrix_text(const nccl::NodeKind& kind) {
  const nccl::Graph& graph = kind.connected.graph;
  text::Table table;
  std::vector<std::string> head{"     "};
  for (const nccl::GraphGpu& gpu : graph.gpus) head.push_back(fmt::format("{:>3}", gpu.rank));
  table.add_row(std::move(head));
  for (const nccl::GraphGpu& from : graph.gpus) {
    std::vector<std::string> row{fmt::format("  {:>3}", from.rank)};
    for (const nccl::GraphGpu& to : graph.gpus) {
      const nccl::Path& path = kind.connected.paths.at(from.node, to.node);
      row.emplace_back(from.node == to.node ? "-" : to_string(path.type));
    }
    table.add_row(std::move(row));
  }
  return table.text();
}

std::string gpus_text(const nccl::NodeKind& kind) {
  const std::vector<PairClass> classes = pair_classes(kind);
  if (classes.empty()) return {};
  std::string text = "\nbetween the GPUs of a node\n";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    text += fmt::format("  {}  {:>6.6g} GB/s  {}  {}\n", to_string(classes[i].type),
                        classes[i].bandwidth, to_string(classes[i].transport),
                        pairs_text(classes[i], classes.size() == 1, i + 1 == classes.size()));
  }
  const bool drawn = classes.size() > 1 && kind.connected.graph.gpus.size() <= kWidestMatrix;
  return drawn ? text + "\n" + matrix_text(kind) : text;
}

std::string gpu_direct_text(const nccl::GdrUse& use) {
  if (use.send && use.receive) return "send, receive";
  if (use.receive) return "receive";
  return use.send ? "send" : "no";
}

/// Types of the paths to NICs that are not the nearest, best first.
std::string others_text(const Connected& connected, std::size_t gpu,
                        const std::vector<std::size_t>& nearest) {
  std::vector<nccl::PathType> types;
  for (std::size_t net = 0; net < connected.graph.nets.size(); ++net) {
    if (std::find(nearest.begin(), nearest.end(), net) != nearest.end()) continue;
    const auto type =
        connected.paths.at(connected.graph.gpus[gpu].node, connected.graph.nets[net].node).type;
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  std::sort(types.begin(), types.end());
  std::string text;
  for (const nccl::PathType type : types)
    text += (text.empty() ? "" : ", ") + std::string(to_string(type));
  return text.empty() ? "-" : text;
}

std::string nets_text(const nccl::NodeKind& kind) {
  const Connected& connected = kind.connected;
  const nccl::Graph& graph = connected.graph;
  if (graph.nets.empty()) return {};
  text::Table table;
  table.add_row({"  GPU", "path", "GB/s", "GPUDirect RDMA", "nearest NICs", "to the others"});
  for (std::size_t gpu = 0; gpu < graph.gpus.size(); ++gpu) {
    const auto nearest = nearest_nets(graph, connected.paths, gpu);
    if (nearest.empty()) continue;
    const nccl::Path& path =
        connected.paths.at(graph.gpus[gpu].node, graph.nets[nearest.front()].node);
    std::vector<int> devices;
    for (const std::size_t net : nearest) devices.push_back(graph.nets[net].dev);
    table.add_row({fmt::format("  {:>3}", graph.gpus[gpu].rank), to_string(path.type),
                   fmt::format("{:.6g}", path.bandwidth),
                   gpu_direct_text(connected.gdr[gpu][nearest.front()]),
                   nccl::numbers_text(devices), others_text(connected, gpu, nearest)});
  }
  return "\nfrom the GPUs to the NICs\n" + table.text();
}

}  // namespace

std::string nccl_paths_text(const nccl::NodeKind& kind) {
  return gpus_text(kind) + nets_text(kind);
}

}  // namespace vgsim::cli
