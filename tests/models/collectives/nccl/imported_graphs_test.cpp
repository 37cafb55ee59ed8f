#include <fmt/core.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/collectives/nccl/decision.hpp"
#include "models/collectives/nccl/machine_of_inventory.hpp"
#include "models/collectives/nccl/read/releases.hpp"
#include "tests/models/collectives/nccl/oracle.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/importers/nccl/nccl_graph_xml.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl {
namespace imported_graphs_test {

namespace inventory = topology::inventory;

/// The machine of a dump, read through a topology file.
Machine imported_machine(const std::string& path) {
  const auto dumped = topology::read_nccl_xml(*input::load_source(path)).value();
  const std::string text = inventory::to_topology_text(dumped);
  const auto host = inventory::read_topology_file(input::make_source("host.json", text)).value();
  return machine_of_inventory(host);
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

/// A machine, and the rings and trees that NCCL chose on it.
struct Dump {
  Machine machine;
  std::vector<inventory::ChosenGraph> graphs;
  std::string release;
};

/// Channels of a search in the form of NCCL_GRAPH_DUMP_FILE.
std::string graph_element(int id, const nlohmann::json& found) {
  std::string xml = fmt::format(
      R"(<graph id="{}" pattern="{}" crossnic="0" nchannels="{}" speedintra="{}" speedinter="{}" )"
      R"(latencyinter="0" typeintra="{}" typeinter="{}" samechannels="{}">)",
      id, found["pattern"].get<int>(), found["nChannels"].get<int>(),
      found["bwIntra"].get<double>(), found["bwInter"].get<double>(),
      found["typeIntra"].get<std::string>(), found["typeInter"].get<std::string>(),
      found["sameChannels"].get<int>());
  for (const auto& channel : found["channels"]) {
    xml += "<channel>";
    for (const int gpu : channel["gpus"]) xml += fmt::format(R"(<gpu dev="{:#x}"/>)", gpu);
    xml += "</channel>";
  }
  return xml + "</graph>";
}

/// From a run of our tables, whose GPUs are numbered like its ranks.
Dump dump_of_a_run() {
  const oracle::Run run = oracle::run_of({false, "2.30.7"}, "hgx_h100_vm8_nicper__n1");
  const auto& search = run.decided["search"];
  const std::string xml = "<graphs version=\"1\">" + graph_element(0, search["ring"]) +
                          graph_element(1, search["tree"]) + "</graphs>";
  return {run.machine,
          topology::parse_nccl_graph_xml(input::make_source("graphs.xml", xml)).value(), "2.30.7"};
}

Dump extra_dump() {
  const auto files = test::extra_files() / "topologies";
  const auto graphs = files / "nccl-graph/simllm-vastai-hgx-h200x8-graph.xml";
  return {imported_machine(files / "nccl-xml/simllm-vastai-hgx-h200x8.xml"),
          topology::parse_nccl_graph_xml(*input::load_source(graphs)).value(), "2.27.7"};
}

class DumpOfOneRun : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const bool extra = GetParam();
    if (extra) test::skip_without_extra_files();
    if (IsSkipped()) return;
    dump_ = extra ? extra_dump() : dump_of_a_run();
  }

  Decision decide_with(const Settings& settings) const {
    return decide({&dump_.machine, 1}, std::vector<std::size_t>{0}, settings,
                  constants_of(test::library().nccl, dump_.release).value());
  }

  Dump dump_;
};

INSTANTIATE_TEST_SUITE_P(Tables, DumpOfOneRun, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Extra, DumpOfOneRun, ::testing::Values(true));

TEST_P(DumpOfOneRun, TheSearchOnTheImportedMachineFindsTheDumpedGraphs) {
  const Decision decision = decide_with({});
  const NodeKind& node = decision.kinds.front();
  std::size_t compared = 0;
  for (const inventory::ChosenGraph& graph : dump_.graphs) {
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

TEST_P(DumpOfOneRun, TheDumpedGraphsTakenAsTheyAreChangeNothing) {
  Settings settings;
  settings.graphs = dump_.graphs;
  const Decision searched = decide_with({});
  const Decision chosen = decide_with(settings);
  ASSERT_EQ(chosen.channels, searched.channels);
  for (int channel = 0; channel < chosen.channels; ++channel) {
    EXPECT_EQ(chosen.ring_order(channel), searched.ring_order(channel));
    EXPECT_EQ(chosen.tree_parents(channel), searched.tree_parents(channel));
  }
}

TEST_P(DumpOfOneRun, AGraphThatIsChosenReplacesTheSearch) {
  Settings settings;
  settings.graphs = dump_.graphs;
  for (auto& graph : settings.graphs) {
    if (graph.id == 0) graph.channels.resize(3);
    if (graph.id == 1) graph.channels.resize(3);
  }
  EXPECT_EQ(decide_with(settings).search_channels, 3);
}

TEST_P(DumpOfOneRun, AGraphOfOtherGpusIsRefused) {
  Settings settings;
  settings.graphs = dump_.graphs;
  settings.graphs.front().channels.front().front().dev = 99;
  EXPECT_THROW(static_cast<void>(decide_with(settings)), std::invalid_argument);
}

}  // namespace imported_graphs_test
}  // namespace vgsim::collectives::nccl
