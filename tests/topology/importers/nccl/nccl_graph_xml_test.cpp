#include "topology/importers/nccl/nccl_graph_xml.hpp"

#include <gmock/gmock.h>

#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {
namespace nccl_graph_xml_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A ring over two GPUs that leaves the host, as NCCL 2.20 and later write it, and NVLS of one
/// head.
constexpr const char* kGraphs = R"(<graphs version="1">
  <graph id="0" pattern="4" crossnic="2" nchannels="2" speedintra="20" speedinter="12" latencyinter="0.5" typeintra="NVL" typeinter="PXN" samechannels="0">
    <channel><net dev="0"/><gpu dev="0x1"/><gpu dev="0x0"/><net dev="0x10"/></channel>
    <channel><net dev="1"/><gpu dev="0"/><gpu dev="1"/><net dev="1"/></channel>
  </graph>
  <graph id="3" pattern="5" crossnic="0" nchannels="1" speedintra="40" speedinter="60" latencyinter="0" typeintra="NVL" typeinter="PIX" samechannels="0">
    <channel><gpu dev="0x7"/></channel>
  </graph>
</graphs>)";

auto read(const std::string& text) {
  return parse_nccl_graph_xml(input::make_source("graphs.xml", text));
}

std::string errors_with(const std::string& part, const std::string& instead) {
  std::string text = kGraphs;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  const auto graphs = read(text.replace(at, part.size(), instead));
  return graphs ? "" : input::render(graphs.error());
}

TEST(NcclGraphXml, GraphsAreReadAsTheyStand) {
  ASSERT_TRUE(is_nccl_graph_xml(kGraphs));
  EXPECT_FALSE(is_nccl_graph_xml("<system version=\"1\"/>"));
  const auto graphs = read(kGraphs);
  ASSERT_TRUE(graphs) << input::render(graphs.error());
  ASSERT_EQ(graphs->size(), 2u);
  const auto& ring = graphs->front();
  EXPECT_EQ(ring.id, 0);
  EXPECT_EQ(ring.pattern, 4);
  EXPECT_EQ(ring.cross_nic, 2);
  EXPECT_EQ(ring.speed_intra, 20);
  EXPECT_EQ(ring.speed_inter, 12);
  EXPECT_EQ(ring.latency_inter, 0.5);
  EXPECT_EQ(ring.type_intra, "NVL");
  EXPECT_EQ(ring.type_inter, "PXN");
  EXPECT_FALSE(ring.same_channels);
  ASSERT_EQ(ring.channels.size(), 2u);
  ASSERT_EQ(ring.channels[0].size(), 4u);
  EXPECT_TRUE(ring.channels[0][3].is_net);
  EXPECT_EQ(ring.channels[0][3].dev, 16) << "0x10";
  EXPECT_FALSE(ring.channels[0][1].is_net);
  EXPECT_EQ(ring.channels[0][1].dev, 1);
  ASSERT_EQ(graphs->back().channels.size(), 1u) << "of a pattern through switches: its head";
  EXPECT_EQ(graphs->back().channels[0][0].dev, 7);
}

TEST(NcclGraphXml, WhatNcclDoesNotHaveIsRefused) {
  EXPECT_THAT(errors_with("version=\"1\"", "version=\"2\""), HasSubstr("<graphs version=\"1\">"));
  EXPECT_THAT(errors_with("typeinter=\"PXN\"", "typeinter=\"PXM\""),
              AllOf(HasSubstr("graphs.xml:2:"), HasSubstr("typeinter of <graph> is \"PXM\"")));
  EXPECT_THAT(errors_with("nchannels=\"2\"", "nchannels=\"3\""),
              HasSubstr("nchannels is 3, but there are 2 <channel>"));
  EXPECT_THAT(errors_with("pattern=\"4\"", "pattern=\"7\""), HasSubstr("pattern"));
  EXPECT_THAT(errors_with(" pattern=\"4\"", ""), HasSubstr("<graph> has no pattern"));
  EXPECT_THAT(errors_with("<net dev=\"1\"/>", "<nic dev=\"1\"/>"),
              HasSubstr("<nic> inside <channel>"));
}

TEST(NcclGraphXml, ChannelsOfARingVisitTheSameGpusOnce) {
  EXPECT_THAT(errors_with("<gpu dev=\"0\"/><gpu dev=\"1\"/>", "<gpu dev=\"0\"/><gpu dev=\"2\"/>"),
              HasSubstr("channel 1 of graph 0"));
  EXPECT_THAT(
      errors_with("<gpu dev=\"0x1\"/><gpu dev=\"0x0\"/>", "<gpu dev=\"0x1\"/><gpu dev=\"0x1\"/>"),
      HasSubstr("channel 0 of graph 0"));
}

TEST(NcclGraphXml, ACutFileIsRefused) {
  const std::string text = kGraphs;
  EXPECT_FALSE(read(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(read("<graphs version=\"1\"></graphs>"));
}

}  // namespace nccl_graph_xml_test
}  // namespace vgsim::topology
