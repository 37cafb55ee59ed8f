#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::oracle {

/// A flow of an oracle file and its end according to that file.
struct Flow {
  std::int64_t bytes = 0;
  std::int64_t inject_ns = 0;
  std::optional<std::int64_t> cap;
  std::vector<std::uint32_t> links;
  double finish_s = 0;
};

/// The directory of the oracle files.
inline std::filesystem::path folder() { return test::extra_files() / "oracle" / "flows"; }

inline nlohmann::json read_json(const std::string& name) {
  std::ifstream file(folder() / name);
  return nlohmann::json::parse(file);
}

/// The rows of a comma-separated file, without its header.
inline std::vector<std::vector<std::string>> read_csv(const std::string& name) {
  std::ifstream file(folder() / name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

inline std::vector<Flow> read_flows(const std::string& name) {
  std::vector<Flow> flows;
  for (const auto& row : read_csv(name + "_flows.csv")) {
    Flow& flow = flows.emplace_back();
    flow.bytes = std::stoll(row.at(3));
    flow.inject_ns = std::stoll(row.at(5));
    if (!row.at(6).empty()) flow.cap = std::stoll(row.at(6));
    std::stringstream links(row.at(7));
    for (std::uint32_t link = 0; links >> link;) flow.links.push_back(link);
    flow.finish_s = std::stod(row.at(8));
  }
  return flows;
}

/// The capacities of the links; all equal if the set has no file for them.
inline ResourceTable read_links(const std::string& name) {
  ResourceTable resources;
  if (std::filesystem::exists(folder() / (name + "_links.csv"))) {
    for (const auto& row : read_csv(name + "_links.csv")) resources.add(std::stoll(row.at(1)));
    return resources;
  }
  const nlohmann::json meta = read_json(name + "_meta.json");
  for (int i = 0; i < meta.at("links_used"); ++i) {
    resources.add(Ratio(meta.at("link_bytes_per_s").get<std::int64_t>()));
  }
  return resources;
}

/// One task per flow, with the injection time as its delay.
inline TaskGraph graph_of(const std::vector<Flow>& flows, Network& network) {
  TaskGraph graph;
  for (const Flow& flow : flows) {
    std::vector<Crossing> crossings;
    for (const std::uint32_t link : flow.links) crossings.push_back({ResourceId{link}});
    Task task;
    task.delay = SimTime{flow.inject_ns} * 1000;
    task.flow = FlowWork{network.routes.add(crossings), Ratio(flow.bytes), std::nullopt, 1};
    if (flow.cap) task.flow->rate_cap = Ratio(*flow.cap);
    graph.add(task);
  }
  return graph;
}

}  // namespace vgsim::oracle
