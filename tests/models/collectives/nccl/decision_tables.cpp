#include "tests/models/collectives/nccl/decision_tables.hpp"

#include <fmt/core.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "models/collectives/nccl/machine_of_inventory.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl::oracle {
namespace {

using nlohmann::json;

const std::string kTables = VGSIM_SOURCE_DIR "/tests/models/collectives/nccl/decisions/";

/// The meanings of the letters in a word.
json spelled(const std::string& word, const json& legend) {
  json list = json::array();
  for (const char letter : word) list.push_back(legend.at(static_cast<std::size_t>(letter - 'a')));
  return list;
}

json matrix(const json& words, const json& legend) {
  json rows = json::array();
  for (const json& word : words) rows.push_back(spelled(word, legend));
  return rows;
}

json found_graph(const json& row) {
  json graph = {{"pattern", row.at("pattern")},       {"nChannels", row.at("channels")},
                {"typeIntra", row.at("intra").at(0)}, {"bwIntra", row.at("intra").at(1)},
                {"typeInter", row.at("inter").at(0)}, {"bwInter", row.at("inter").at(1)},
                {"sameChannels", row.at("same")},     {"crossNic", row.at("cross_nic")}};
  if (!row.contains("gpus")) return graph;
  graph["nHops"] = row.at("hops");
  for (std::size_t c = 0; c < row.at("gpus").size(); ++c) {
    json channel = {{"gpus", row.at("gpus")[c]}};
    if (row.contains("nets")) channel["nets"] = row.at("nets")[c];
    graph["channels"].push_back(std::move(channel));
  }
  return graph;
}

/// The call of each size with the choice; for some sizes with the time of every candidate and the
/// work.
json calls_of(const json& row) {
  static constexpr const char* kWork[] = {"nMaxChannels",    "nWarps",    "channelsUsed",
                                          "bytesPerChannel", "chunkSize", "sliceSteps",
                                          "chunkSteps"};
  json calls = json::array();
  std::size_t step = 0;
  const json& choices = row.at("choices");
  for (auto bytes = choices.at(0).at(0).get<std::int64_t>(); bytes <= row.at("last"); bytes *= 2) {
    if (step + 1 < choices.size() && choices[step + 1].at(0) == bytes) ++step;
    calls.push_back({{"bytes", bytes}, {"choice", choices[step].at(1)}});
  }
  std::size_t found = 0;
  for (json& call : calls) {
    for (const json& sample : row.at("samples")) {
      if (sample.at("bytes") != call.at("bytes")) continue;
      ++found;
      if (sample.contains("us")) call["time_us"] = sample["us"];
      if (!sample.contains("work")) continue;
      for (std::size_t k = 0; k < std::size(kWork); ++k) call[kWork[k]] = sample["work"].at(k);
    }
  }
  if (found != row.at("samples").size()) throw std::invalid_argument("a sample of no size");
  return calls;
}

json decided_of(const json& row, const json& release) {
  const json& legend = row.at("paths");
  json run = {{"nccl", release},
              {"xml", row.at("machine")},
              {"nNodes", row.at("hosts")},
              {"gpusPerNode", row.at("gpus")},
              {"sm", row.at("sm")},
              {"nvls", row.at("nvls")},
              {"gpuPaths", matrix(row.at("gpu_paths"), legend)},
              {"netPaths", matrix(row.value("net_paths", json::array()), legend)},
              {"search", json::object()},
              {"rankToNode", row.at("rank_node")},
              {"ncclNodes", row.at("rank_node").back().get<int>() + 1},
              {"nChannels", row.at("rings").at("word").get<std::string>().size()},
              {"rings", spelled(row.at("rings").at("word"), row.at("rings").at("of"))},
              {"treesUp", spelled(row.at("trees").at("word"), row.at("trees").at("of"))}};
  for (const auto& [name, graph] : row.at("graphs").items())
    run["search"][name] = found_graph(graph);
  for (const auto& [ours, theirs] : {std::pair{"nvls_channels", "nvlsChannels"},
                                     {"nvls_heads", "nvlsHeads"},
                                     {"domain_gpus", "domainGpus"},
                                     {"nets", "nets"},
                                     {"max_bw", "maxBw"},
                                     {"total_bw", "totalBw"},
                                     {"gpu_ranks", "gpuRanks"}}) {
    if (row.contains(ours)) run[theirs] = row[ours];
  }
  if (!row.contains("costs")) return run;
  for (const auto& [function, costs] : row["costs"].items()) {
    run["tuning"][function] = json::object();
    for (const auto& [key, cost] : costs.items()) {
      run["tuning"][function][key] = {{"lat_us", cost.at(0)}, {"bw_GBps", cost.at(1)}};
    }
  }
  run["allreduce"] = calls_of(row);
  return run;
}

}  // namespace

const Machine& machine_of(const std::string& name) {
  static std::map<std::string, Machine> machines;
  if (const auto known = machines.find(name); known != machines.end()) return known->second;
  const auto source = input::load_source(kTables + "machines/" + name + ".json");
  if (!source) throw std::runtime_error(input::render(source.error()));
  const auto host = topology::inventory::read_topology_file(*source);
  if (!host) throw std::runtime_error(input::render(host.error()));
  return machines.emplace(name, machine_of_inventory(*host)).first->second;
}

std::vector<Run> read_table(const std::string& name) {
  std::ifstream file(kTables + name + ".json");
  const json table = json::parse(file);
  std::vector<Run> runs;
  for (const json& row : table.at("runs")) {
    Run& run = runs.emplace_back();
    const std::string machine = row.at("machine");
    run.name =
        fmt::format("{}/{}__n{}", row.value("setting", name), machine, row.at("hosts").get<int>());
    run.machine = machine_of(machine);
    run.settings =
        parse_settings(row.value("environment", std::map<std::string, std::string>())).value();
    run.decided = decided_of(row, table.at("nccl"));
  }
  return runs;
}

}  // namespace vgsim::collectives::nccl::oracle
