#include "topology/export/graph_text.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/topology/machine/made_hosts.hpp"
#include "topology/export/graph_view.hpp"

namespace vgsim::topology::inventory {
namespace graph_text_test {

using testing::add_nvlinks;
using ::testing::AllOf;
using testing::eight_gpu_host;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::stated;

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Inventory four_gpu_mesh(std::int64_t links) {
  Inventory host;
  host.numa_nodes.resize(1);
  for (std::int64_t i = 0; i < 4; ++i) {
    host.numa_nodes[0].devices.push_back(
        testing::gpu(i, "0000:0" + std::to_string(i + 1) + ":00.0", {4, 16}));
  }
  for (Device& gpu : host.numa_nodes[0].devices) {
    for (const Device& peer : host.numa_nodes[0].devices) {
      if (&gpu != &peer) add_nvlinks(gpu, peer.bus_id, links);
    }
  }
  return host;
}

/// Nodes by name, each with its data; edges as "a-b".
struct Graphml {
  std::map<std::string, std::map<std::string, std::string>> nodes;
  std::map<std::string, std::map<std::string, std::string>> edges;
};

Graphml read_graphml(const std::string& text) {
  pugi::xml_document document;
  if (!document.load_string(text.c_str())) throw std::runtime_error("not XML");
  const pugi::xml_node root = document.child("graphml");
  std::map<std::string, std::pair<std::string, std::string>> keys;
  for (const pugi::xml_node key : root.children("key")) {
    keys[key.attribute("id").value()] = {key.attribute("for").value(),
                                         key.attribute("attr.name").value()};
  }
  const auto data_of = [&](const pugi::xml_node& element) {
    std::map<std::string, std::string> data;
    for (const pugi::xml_node item : element.children("data")) {
      const auto& [domain, name] = keys.at(item.attribute("key").value());
      EXPECT_EQ(domain, element.name());
      data[name] = item.text().get();
    }
    return data;
  };
  Graphml graph;
  std::map<std::string, std::string> names;
  for (const pugi::xml_node node : root.child("graph").children("node")) {
    auto data = data_of(node);
    names[node.attribute("id").value()] = data.at("name");
    graph.nodes[data.at("name")] = data;
  }
  for (const pugi::xml_node edge : root.child("graph").children("edge")) {
    graph.edges[names.at(edge.attribute("source").value()) + "-" +
                names.at(edge.attribute("target").value())] = data_of(edge);
  }
  return graph;
}

TEST(Graphml, HasEveryDeviceWithItsKnownFacts) {
  const Graphml graph = read_graphml(to_graphml(eight_gpu_host()));
  EXPECT_EQ(graph.nodes.size(), 2u + 4u + 8u + 8u + 1u);
  const auto& gpu = graph.nodes.at("gpu5");
  EXPECT_EQ(gpu.at("kind"), "gpu");
  EXPECT_EQ(gpu.at("bus_id"), "0000:53:00.0");
  EXPECT_EQ(gpu.at("model"), "Made-up GPU 80GB");
  EXPECT_EQ(gpu.at("numa"), "1");
  EXPECT_EQ(graph.nodes.at("switch0").count("model"), 0u) << "unknown";
  EXPECT_EQ(graph.nodes.at("NVSwitch").at("kind"), "nvswitch");
}

TEST(Graphml, EdgesHaveKindWidthAndBandwidthOfOneDirection) {
  const Graphml graph = read_graphml(to_graphml(eight_gpu_host()));
  EXPECT_EQ(graph.edges.size(), 1u + 4u + 16u + 8u);
  const auto& pcie = graph.edges.at("switch2-gpu5");
  EXPECT_EQ(pcie.at("kind"), "pcie");
  EXPECT_EQ(pcie.at("link"), "Gen5 x16");
  EXPECT_NEAR(std::stod(pcie.at("bandwidth")), 63.0, 0.1);
  const auto& nvlink = graph.edges.at("gpu5-NVSwitch");
  EXPECT_EQ(nvlink.at("kind"), "nvlink");
  EXPECT_EQ(nvlink.at("links"), "18");
  EXPECT_EQ(nvlink.at("bandwidth"), "450");
  EXPECT_EQ(graph.edges.at("numa0-numa1").at("kind"), "cpu");
}

TEST(Graphml, TextsOfTheInputAreEscaped) {
  Inventory host = eight_gpu_host();
  host.numa_nodes[0].devices[0].name = stated<std::string>("<b a=\"1\">&amp;\x01\xff]]>");
  const Graphml graph = read_graphml(to_graphml(host));
  EXPECT_EQ(graph.nodes.at("switch0").at("model"), "<b a=\"1\">&amp;??]]>");
}

TEST(Graphml, LinksThatBothEndsListAreOneEdge) {
  const Graphml graph = read_graphml(to_graphml(four_gpu_mesh(3)));
  EXPECT_EQ(graph.edges.size(), 4u + 6u);
  EXPECT_EQ(graph.edges.at("gpu0-gpu3").at("links"), "3");
}

TEST(Graphml, LinksOutOfTheHostAndToItselfAreNotThere) {
  Inventory host = four_gpu_mesh(1);
  Device& gpu = host.numa_nodes[0].devices[0];
  add_nvlinks(gpu, "00ff:00:00.0", 4);
  add_nvlinks(gpu, gpu.bus_id, 4);
  EXPECT_EQ(read_graphml(to_graphml(host)).edges.size(), 4u + 6u);
}

TEST(Graphml, KnownRootComplexesAreNodes) {
  Inventory host = eight_gpu_host();
  host.numa_nodes[0].devices[0].root_complex = stated<std::string>("0000:10");
  const Graphml graph = read_graphml(to_graphml(host));
  EXPECT_TRUE(graph.edges.contains("numa0-numa0 root 0000:10"));
  EXPECT_TRUE(graph.edges.contains("numa0 root 0000:10-switch0"));
  EXPECT_TRUE(graph.edges.contains("numa0-switch1"));
}

TEST(Graphml, AnEmptyHostIsAnEmptyGraph) {
  EXPECT_TRUE(read_graphml(to_graphml({})).nodes.empty());
}

TEST(Dot, FramesAreSocketsAndNumaNodes) {
  const std::string one = to_dot(eight_gpu_host());
  EXPECT_THAT(one, HasSubstr("label=\"socket 1, NUMA node 1\""));
  Inventory host = eight_gpu_host();
  host.numa_nodes[1].package = host.numa_nodes[0].package;
  const std::string two = to_dot(host);
  EXPECT_THAT(two, AllOf(HasSubstr("label=\"socket 0\""), HasSubstr("label=\"NUMA node 1\""),
                         Not(HasSubstr("socket 1"))));
}

TEST(Dot, EdgesShowWidthAndNvlinks) {
  const std::string dot = to_dot(eight_gpu_host());
  EXPECT_EQ(times(dot, "label=\"Gen5 x16\""), 4u + 16u);
  EXPECT_EQ(times(dot, "label=\"NV18\""), 8u);
  EXPECT_THAT(dot, HasSubstr("gpu01.example.com, Example Inc. Eight-GPU Server"));
}

TEST(Dot, SwitchesWithTheSameGpusAreDrawnAsOne) {
  Inventory host = four_gpu_mesh(0);
  for (Device& gpu : host.numa_nodes[0].devices) {
    gpu.gpu->nvlinks.clear();
    for (const char* bus : {"0000:c3:00.0", "0000:c4:00.0", "0000:c5:00.0"}) {
      add_nvlinks(gpu, bus, 4);
      gpu.gpu->nvlinks.back().target_class = stated<std::string>("068000");
    }
  }
  const std::string dot = to_dot(host);
  EXPECT_EQ(times(dot, "3 NVSwitches"), 1u);
  EXPECT_EQ(times(dot, "label=\"NV12\""), 4u);
  EXPECT_EQ(read_graphml(to_graphml(host)).nodes.size(), 1u + 4u + 3u);
}

TEST(Dot, AFullMeshHasOneJointAndOthersOneForEachPair) {
  Inventory host = four_gpu_mesh(2);
  const std::string mesh = to_dot(host);
  EXPECT_EQ(times(mesh, "each with each\\nNV2"), 1u);
  EXPECT_EQ(times(mesh, "-> l0 "), 4u);
  host.numa_nodes[0].devices[0].gpu->nvlinks[0].count.value = 3;
  const std::string uneven = to_dot(host);
  EXPECT_EQ(times(uneven, "each with each"), 0u);
  EXPECT_EQ(times(uneven, "label=\"NV2\""), 5u);
  EXPECT_EQ(times(uneven, "label=\"NV3\""), 1u);
}

TEST(Dot, QuotesAndBackslashesCannotLeaveALabel) {
  Inventory host = eight_gpu_host();
  host.name = stated<std::string>("a\"]; evil [label=\"\\N\\");
  host.numa_nodes[0].devices[0].name = stated<std::string>("line\nbreak \\\" \xc3\xa4");
  const std::string dot = to_dot(host);
  EXPECT_THAT(dot, HasSubstr(R"(label="a\"]; evil [label=\"\\N\\, Example)"));
  EXPECT_THAT(dot, HasSubstr(R"(line?break \\\" ??)"));
  for (const char c : dot) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(Dot, DevicesWithoutAPlaceAreInASeparateFrame) {
  Inventory host = eight_gpu_host();
  host.unplaced.push_back(testing::nic("eth9", "", {3, 8}));
  host.numa_nodes[0].without_pcie.push_back(testing::nic("eth8", "", {3, 8}));
  const std::string dot = to_dot(host);
  const std::size_t frame = dot.find("place unknown");
  ASSERT_NE(frame, dot.npos);
  EXPECT_LT(frame, dot.find("eth9"));
  EXPECT_GT(frame, dot.find("eth8"));
  EXPECT_EQ(times(dot, "[style=dashed];"), 1u) << "a NIC whose place on PCIe is unknown";
}

TEST(Dot, TheSameHostGivesTheSameText) {
  EXPECT_EQ(to_dot(eight_gpu_host()), to_dot(eight_gpu_host()));
  EXPECT_EQ(to_graphml(eight_gpu_host()), to_graphml(eight_gpu_host()));
}

}  // namespace graph_text_test
}  // namespace vgsim::topology::inventory
