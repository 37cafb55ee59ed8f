#include <gmock/gmock.h>

#include <filesystem>

#include "models/collectives/nccl/decision.hpp"
#include "models/collectives/nccl/machine_from_xml.hpp"
#include "models/collectives/nccl/releases.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/importers/nccl/nccl_graph_xml.hpp"
#include "topology/importers/nccl/nccl_inventory.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl {
namespace imported_graphs_test {

namespace inventory = topology::inventory;

/// The machine of a dump, through a topology file.
Machine imported_machine(const std::string& path) {
  const auto system = topology::parse_nccl_xml(*input::load_source(path)).value();
  const std::string text = inventory::to_topology_text(inventory::from_nccl(system).front());
  const auto host = inventory::read_topology_file(input::make_source("host.json", text)).value();
  return machine_from_xml(inventory::to_nccl(host, system.source));
}

/// The GPUs of each channel, by their numbers.
std::vector<std::vector<std::int64_t>> gpus_of(const inventory::ChosenGraph& graph) {
  std::vector<std::vector<std::int64_t>> channels;
  for (const auto& steps : graph.channels) {
    auto& channel = channels.emplace_back();
    for (const auto& step : steps) {
      if (!step.is_net) channel.push_back(step.dev);
    }
  }
  return channels;
}

std::vector<std::vector<std::int64_t>> gpus_of(const SearchResult& found, const Graph& graph) {
  std::vector<std::vector<std::int64_t>> channels;
  for (const SearchChannel& channel : found.channels) {
    auto& gpus = channels.emplace_back();
    for (const std::size_t gpu : channel.gpus) gpus.push_back(graph.gpus[gpu].dev);
  }
  return channels;
}

class DumpOfOneRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(VGSIM_SHARED)) GTEST_SKIP() << "no samples at " VGSIM_SHARED;
    machine_ = imported_machine(VGSIM_SHARED "/topologies/nccl-xml/simllm-vastai-hgx-h200x8.xml");
    graphs_ = topology::parse_nccl_graph_xml(
                  *input::load_source(VGSIM_SHARED
                                      "/topologies/nccl-graph/simllm-vastai-hgx-h200x8-graph.xml"))
                  .value();
  }

  Decision decide_with(const Settings& settings) const {
    return decide({&machine_, 1}, std::vector<std::size_t>{0}, settings,
                  constants_of(test::library().nccl, "2.27.7").value());
  }

  Machine machine_;
  std::vector<inventory::ChosenGraph> graphs_;
};

TEST_F(DumpOfOneRun, TheSearchOnTheImportedMachineFindsTheDumpedGraphs) {
  const Decision decision = decide_with({});
  const NodeKind& node = decision.kinds.front();
  std::size_t compared = 0;
  for (const inventory::ChosenGraph& graph : graphs_) {
    if (graph.channels.empty()) continue;
    const SearchResult* found = graph.id == 0   ? &node.graphs.ring
                                : graph.id == 1 ? &node.graphs.tree
                                                : nullptr;
    if (found == nullptr) continue;
    ++compared;
    EXPECT_EQ(gpus_of(*found, node.connected.graph), gpus_of(graph)) << graph.id;
    EXPECT_FLOAT_EQ(static_cast<float>(found->speed_intra), static_cast<float>(graph.speed_intra));
    EXPECT_EQ(to_string(found->type_intra), graph.type_intra);
    EXPECT_EQ(static_cast<int>(found->pattern), graph.pattern);
  }
  EXPECT_EQ(compared, 2u);
}

TEST_F(DumpOfOneRun, TheDumpedGraphsTakenAsTheyAreChangeNothing) {
  Settings settings;
  settings.graphs = graphs_;
  const Decision searched = decide_with({});
  const Decision chosen = decide_with(settings);
  ASSERT_EQ(chosen.channels, searched.channels);
  for (int channel = 0; channel < chosen.channels; ++channel) {
    EXPECT_EQ(chosen.ring_order(channel), searched.ring_order(channel));
    EXPECT_EQ(chosen.tree_parents(channel), searched.tree_parents(channel));
  }
}

TEST_F(DumpOfOneRun, AGraphThatIsChosenReplacesTheSearch) {
  Settings settings;
  settings.graphs = graphs_;
  for (auto& graph : settings.graphs) {
    if (graph.id == 0) graph.channels.resize(3);
    if (graph.id == 1) graph.channels.resize(3);
  }
  EXPECT_EQ(decide_with(settings).search_channels, 3);
}

TEST_F(DumpOfOneRun, AGraphOfOtherGpusIsRefused) {
  Settings settings;
  settings.graphs = graphs_;
  settings.graphs.front().channels.front().front().dev = 99;
  EXPECT_THROW(static_cast<void>(decide_with(settings)), std::invalid_argument);
}

}  // namespace imported_graphs_test
}  // namespace vgsim::collectives::nccl
