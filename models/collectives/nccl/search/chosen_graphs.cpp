#include "models/collectives/nccl/search/chosen_graphs.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace vgsim::collectives::nccl {
namespace {

using topology::inventory::ChosenGraph;

/// LOC if the text is not a type; the reader has checked it.
PathType path_type_of(const std::string& text) {
  for (int type = 0; type <= static_cast<int>(PathType::kDis); ++type) {
    if (text == to_string(static_cast<PathType>(type))) return static_cast<PathType>(type);
  }
  return PathType::kLoc;
}

/// Index of the GPU or NET with that number.
template <class List>
std::size_t index_of(const char* what, std::int64_t dev, const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].dev == dev) return i;
  }
  throw std::invalid_argument(
      fmt::format("the graph file names {} {}, which the host does not have", what, dev));
}

SearchChannel channel_of(const std::vector<ChosenGraph::Step>& steps, bool visits_all,
                         const Graph& graph) {
  SearchChannel channel;
  bool has_net = false;
  for (const ChosenGraph::Step& step : steps) {
    if (!step.is_net) {
      channel.gpus.push_back(index_of("GPU", step.dev, graph.gpus));
      continue;
    }
    const std::size_t net = index_of("NET", step.dev, graph.nets);
    if (!has_net) channel.first_net = net;
    channel.last_net = net;
    has_net = true;
  }
  if (visits_all && channel.gpus.size() != graph.gpus.size()) {
    throw std::invalid_argument(fmt::format("a channel of the graph file has {} GPUs, the host {}",
                                            channel.gpus.size(), graph.gpus.size()));
  }
  return channel;
}

SearchResult result_of(const ChosenGraph& chosen, const Graph& graph) {
  SearchResult result;
  result.pattern = static_cast<Pattern>(chosen.pattern);
  result.cross_nic = static_cast<int>(chosen.cross_nic);
  result.speed_intra = chosen.speed_intra;
  result.speed_inter = chosen.speed_inter;
  result.type_intra = path_type_of(chosen.type_intra);
  result.type_inter = path_type_of(chosen.type_inter);
  result.same_channels = chosen.same_channels;
  result.latency_inter = chosen.latency_inter;
  const bool visits_all = result.pattern <= Pattern::kRing;
  for (const auto& steps : chosen.channels) {
    result.channels.push_back(channel_of(steps, visits_all, graph));
  }
  return result;
}

}  // namespace

void use_chosen_graphs(const std::vector<ChosenGraph>& chosen, const Connected& connected,
                       NodeGraphs& graphs) {
  for (const ChosenGraph& graph : chosen) {
    if (graph.channels.empty()) continue;
    SearchResult result = result_of(graph, connected.graph);
    switch (graph.id) {
      case 0:
        graphs.ring = std::move(result);
        break;
      case 1:
        graphs.tree = std::move(result);
        break;
      case 2:
        if (graphs.collnet_chain) graphs.collnet_chain = std::move(result);
        break;
      case 3:
        if (graphs.nvls) graphs.nvls = std::move(result);
        break;
      case 4:
        if (graphs.collnet_direct) graphs.collnet_direct = std::move(result);
        break;
      default:
        break;
    }
  }
}

}  // namespace vgsim::collectives::nccl
