#include "models/collectives/nccl/outcome_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace vgsim::collectives::nccl {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFunctionKeys[kFunctions] = {"broadcast", "reduce", "allgather",
                                                   "reducescatter", "allreduce"};

std::string key_of(Algorithm algorithm, Protocol protocol) {
  return fmt::format("{}/{}", to_string(algorithm), to_string(protocol));
}

std::string key_of(const Candidate& candidate) {
  return key_of(candidate.algorithm, candidate.protocol);
}

/// The shortest text that reads back as the same float: NCCL computes bandwidths in floats.
double shown(float bandwidth) {
  const std::string text = fmt::format("{}", bandwidth);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Json path_json(const Path& path) {
  return {to_string(path.type), shown(path.bandwidth), path.hops()};
}

Json search_json(const SearchResult& found, const Graph& graph, bool leaves) {
  Json channels = Json::array();
  for (const SearchChannel& channel : found.channels) {
    Json gpus = Json::array();
    for (const std::size_t gpu : channel.gpus) gpus.push_back(graph.gpus[gpu].rank);
    Json one = {{"gpus", std::move(gpus)}};
    if (leaves) {
      one["nets"] = {graph.nets.at(channel.first_net).dev, graph.nets.at(channel.last_net).dev};
    }
    channels.push_back(std::move(one));
  }
  return {{"pattern", static_cast<int>(found.pattern)},
          {"crossNic", found.cross_nic},
          {"nChannels", found.channels.size()},
          {"bwIntra", found.speed_intra},
          {"bwInter", found.speed_inter},
          {"typeIntra", to_string(found.type_intra)},
          {"typeInter", to_string(found.type_inter)},
          {"sameChannels", found.same_channels ? 1 : 0},
          {"nHops", found.hops},
          {"channels", std::move(channels)}};
}

Json aligned_json(const AgreedGraph& graph) {
  return {{"pattern", static_cast<int>(graph.pattern)},
          {"crossNic", graph.cross_nic},
          {"nChannels", graph.channels},
          {"bwIntra", graph.speed_intra},
          {"bwInter", graph.speed_inter},
          {"typeIntra", to_string(graph.type_intra)},
          {"typeInter", to_string(graph.type_inter)},
          {"sameChannels", graph.same_channels ? 1 : 0}};
}

void add_gpu_rows(const Connected& connected, std::size_t gpu, Json& out) {
  const Graph& graph = connected.graph;
  const NodeId from = graph.gpus[gpu].node;
  Json paths = Json::array();
  Json transports = Json::array();
  for (std::size_t other = 0; other < graph.gpus.size(); ++other) {
    paths.push_back(path_json(connected.paths.at(from, graph.gpus[other].node)));
    transports.push_back(to_string(connected.transports[gpu][other]));
  }
  Json nets = Json::array();
  Json gdr = Json::array();
  Json relays = Json::array();
  for (std::size_t net = 0; net < graph.nets.size(); ++net) {
    nets.push_back(path_json(connected.paths.at(from, graph.nets[net].node)));
    const GdrUse& use = connected.gdr[gpu][net];
    gdr.push_back(Json::array({use.send, use.receive}));
    relays.push_back(graph.gpus[connected.relay[gpu][net]].rank);
  }
  out["gpuPaths"].push_back(std::move(paths));
  out["netPaths"].push_back(std::move(nets));
  out["transports"].push_back(std::move(transports));
  out["gpuDirect"].push_back(std::move(gdr));
  out["relays"].push_back(std::move(relays));
}

/// `leaves`: channels use NETs.
void add_kind(const NodeKind& kind, bool leaves, Json& out) {
  const Graph& graph = kind.connected.graph;
  out["domainGpus"] = graph.gpus.size();
  out["nets"] = graph.nets.size();
  out["gpuRanks"] = kind.ranks;
  out["maxBw"] = kind.graphs.max_speed;
  out["totalBw"] = kind.graphs.total_speed;
  for (const char* key : {"gpuPaths", "netPaths", "transports", "gpuDirect", "relays"}) {
    out[key] = Json::array();
  }
  for (std::size_t gpu = 0; gpu < graph.gpus.size(); ++gpu) {
    add_gpu_rows(kind.connected, gpu, out);
  }
  const NodeGraphs& graphs = kind.graphs;
  Json& search = out["search"];
  search["ring"] = search_json(graphs.ring, graph, leaves);
  search["tree"] = search_json(graphs.tree, graph, leaves);
  if (graphs.nvls) search["nvls"] = search_json(*graphs.nvls, graph, leaves);
  if (graphs.collnet_chain)
    search["collnetchain"] = search_json(*graphs.collnet_chain, graph, leaves);
  if (graphs.collnet_direct)
    search["collnetdirect"] = search_json(*graphs.collnet_direct, graph, leaves);
}

void add_structure(const Decision& decision, Json& out) {
  out["ncclNodes"] = decision.nodes.size();
  out["rankToNode"] = decision.rank_node;
  Json& aligned = out["aligned"];
  aligned["ring"] = aligned_json(decision.ring);
  aligned["tree"] = aligned_json(decision.tree);
  if (decision.nvls) aligned["nvls"] = aligned_json(*decision.nvls);
  if (decision.collnet_chain) aligned["collnetchain"] = aligned_json(*decision.collnet_chain);
  if (decision.collnet_direct) aligned["collnetdirect"] = aligned_json(*decision.collnet_direct);
  out["nChannels"] = decision.channels;
  out["rings"] = Json::array();
  out["treesUp"] = Json::array();
  for (int channel = 0; channel < decision.channels; ++channel) {
    std::vector<int> ring = decision.ring_order(channel);
    std::rotate(ring.begin(), std::find(ring.begin(), ring.end(), 0), ring.end());
    out["rings"].push_back(ring);
    out["treesUp"].push_back(decision.tree_parents(channel));
  }
  if (!decision.nvls) return;
  out["nvlsChannels"] = decision.nvls_channels;
  out["nvlsHeads"] = Json::array();
  for (std::size_t head = 0; head < decision.nvls_heads; ++head) {
    out["nvlsHeads"].push_back(decision.nvls_head(0, head));
  }
}

Json tuning_json(const CostTable& table) {
  Json tuning;
  for (std::size_t f = 0; f < kFunctions; ++f) {
    Json& function = tuning[to_string(static_cast<Function>(f))];
    function = Json::object();
    for (std::size_t a = 0; a < kAlgorithms; ++a) {
      for (std::size_t p = 0; p < kProtocols; ++p) {
        const Cost& cost = table.costs[f][a][p];
        if (cost.bandwidth <= 0) continue;
        function[key_of(static_cast<Algorithm>(a), static_cast<Protocol>(p))] = {
            {"lat_us", cost.latency_us}, {"bw_GBps", cost.bandwidth}};
      }
    }
  }
  return tuning;
}

Json call_json(const Call& call) {
  Json out = {{"bytes", call.size.count()}};
  if (call.candidates.empty()) {
    out["choice"] = nullptr;
    return out;
  }
  out["time_us"] = Json::object();
  for (const Candidate& candidate : call.candidates) {
    out["time_us"][key_of(candidate)] = candidate.us;
  }
  out["choice"] = key_of(call.candidates[0]);
  out["best_us"] = call.candidates[0].us;
  out["busbw_GBps"] = call.busbw_GBps;
  const bool alone = call.candidates.size() < 2;
  out["runnerUp"] = alone ? Json(nullptr) : Json(key_of(call.candidates[1]));
  out["runnerUp_us"] = alone ? Json(nullptr) : Json(call.candidates[1].us);
  out["nMaxChannels"] = call.work.channels;
  out["nWarps"] = call.work.warps;
  out["channelsUsed"] = call.work.channels_used;
  out["bytesPerChannel"] = call.work.dealt.count();
  out["chunkSize"] = call.work.chunk.count();
  out["sliceSteps"] = call.work.slots_per_slice;
  out["chunkSteps"] = call.work.slots_per_chunk;
  return out;
}

}  // namespace

std::string to_json(const Outcome& outcome, std::span<const Bytes> sizes) {
  const Decision& decision = outcome.decision;
  Json out;
  out["schema"] = "vgsim.nccl/1";
  out["nccl"] = to_string(outcome.constants.version);
  out["constantsOf"] = to_string(outcome.constants.release);
  out["xml"] = outcome.topology;
  out["nNodes"] = outcome.hosts;
  out["gpusPerNode"] = outcome.ranks_per_host;
  out["sm"] = outcome.communicator.min_sm;
  out["collnet"] = outcome.communicator.collnet ? 1 : 0;
  out["nvls"] = outcome.communicator.nvls_everywhere ? 1 : 0;
  const bool several = decision.nodes.size() > 1;
  add_kind(decision.kinds.at(0), several, out);
  out["otherNodes"] = Json::array();
  for (std::size_t kind = 1; kind < decision.kinds.size(); ++kind) {
    add_kind(decision.kinds[kind], several, out["otherNodes"].emplace_back(Json::object()));
  }
  add_structure(decision, out);
  out["tuning"] = tuning_json(outcome.costs);
  for (std::size_t f = 0; f < kFunctions; ++f) {
    Json& calls = out[kFunctionKeys[f]];
    calls = Json::array();
    for (const Bytes size : sizes) {
      calls.push_back(call_json(call_of(outcome, static_cast<Function>(f), size)));
    }
  }
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::collectives::nccl
