#include "topology/importers/infragraph/infragraph_parser.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace vgsim::topology::infragraph {
namespace infragraph_parser_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Document parsed(const std::string& text) {
  auto document = parse(input::make_source("t.yaml", text));
  if (!document) throw std::runtime_error(input::render(document.error()));
  return *std::move(document);
}

/// "E534 at 3:5" for each error.
std::vector<std::string> errors_of(const std::string& text) {
  const auto document = parse(input::make_source("t.yaml", text));
  std::vector<std::string> errors;
  if (document) return errors;
  for (const auto& item : document.error().items()) {
    if (item.severity != input::Severity::error) continue;
    const auto [line, column] = input::line_column(item.location);
    errors.push_back(fmt::format("{} at {}:{}", item.code, line, column));
  }
  return errors;
}

constexpr const char* kNewest = R"(
name: small
devices:
- name: box
  description: "a box"
  components:
  - {name: cpu, count: 2, choice: cpu, cpu: {}}
  - {name: acc, count: 4, choice: xpu, description: "An accelerator"}
  - {name: plug, count: 1, choice: custom, custom: {type: pcie_slot}}
  links:
  - name: wire
    physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 256}}
  edges:
  - {ep1: {component: "cpu[0]"}, ep2: {component: "acc[0:2]"}, scheme: many2many, link: wire}
  - {ep1: {device: "card[0:4]", component: "finger[0]"}, ep2: {component: acc}, link: wire}
instances:
- {name: host, device: box, count: 3}
links: []
edges:
- {ep1: {instance: "host[0]", component: "acc[1]"}, ep2: {instance: "host[1]", component: "acc[1]"},
   scheme: ring, link: wire}
)";

TEST(InfragraphParser, ReadsTheNewestForm) {
  const Document document = parsed(kNewest);
  ASSERT_EQ(document.devices.size(), 1u);
  const Device& box = document.devices[0];
  EXPECT_EQ(box.name, "box");
  ASSERT_EQ(box.components.size(), 3u);
  EXPECT_EQ(box.components[0].kind, ComponentKind::kCpu);
  EXPECT_EQ(box.components[1].kind, ComponentKind::kXpu);
  EXPECT_EQ(box.components[1].count, 4);
  EXPECT_EQ(box.components[2].custom_type, "pcie_slot");
  ASSERT_TRUE(box.links[0].bandwidth);
  EXPECT_EQ(box.links[0].bandwidth->unit, BandwidthUnit::kGigabits);
  EXPECT_DOUBLE_EQ(box.links[0].bandwidth->value, 256.0);
  ASSERT_EQ(box.edges.size(), 2u);
  EXPECT_EQ(box.edges[0].ep2.component, "acc[0:2]");
  EXPECT_EQ(box.edges[0].scheme, Scheme::kManyToMany);
  EXPECT_EQ(box.edges[1].ep1.owner, "card[0:4]");
  EXPECT_FALSE(box.edges[1].scheme);
  EXPECT_EQ(document.instances[0].count, 3);
  EXPECT_EQ(document.edges[0].ep1.owner, "host[0]");
  EXPECT_EQ(document.edges[0].scheme, Scheme::kRing);
}

TEST(InfragraphParser, WhatIsWrittenReadsBackTheSame) {
  const Document document = parsed(kNewest);
  EXPECT_EQ(to_json(parsed(to_json(document))), to_json(document));
}

TEST(InfragraphParser, ReadsDraftsWithConnections) {
  const Document document = parsed(R"(
infrastructure:
  devices:
  - name: box
    components:
    - {name: cpu, type: cpu}
    - {name: npu, type: npu, external: true}
    - {name: sw, type: custom}
    links:
    - {name: pcie, bandwidth: {choice: giga_bytes_per_second, giga_bytes_per_second: 32}}
    connections: [cpu.0.pcie.sw.1, sw.1.pcie.npu.2]
  connections: [box.0.npu.1.wire.tor.2.port.7]
)");
  const Device& box = document.devices.at(0);
  EXPECT_EQ(box.components[1].kind, ComponentKind::kXpu);
  EXPECT_FALSE(box.components[0].count);
  EXPECT_DOUBLE_EQ(box.links[0].bandwidth->value, 32.0);
  ASSERT_EQ(box.edges.size(), 2u);
  EXPECT_EQ(box.edges[1].ep1.component, "sw[1]");
  EXPECT_EQ(box.edges[1].ep2.component, "npu[2]");
  EXPECT_EQ(box.edges[1].link, "pcie");
  ASSERT_EQ(document.edges.size(), 1u);
  EXPECT_EQ(document.edges[0].ep2.owner, "tor[2]");
  EXPECT_EQ(document.edges[0].ep2.component, "port[7]");
}

TEST(InfragraphParser, ReadsBooleansInTheStepBeforeSchemes) {
  const Document document = parsed(R"(
devices:
- name: box
  components: []
  edges:
  - {ep1: {component: a}, ep2: {component: b}, many2many: true, link: l}
  - {ep1: {component: a}, ep2: {component: b}, many2many: false, link: l}
)");
  EXPECT_EQ(document.devices[0].edges[0].scheme, Scheme::kManyToMany);
  EXPECT_EQ(document.devices[0].edges[1].scheme, Scheme::kOneToOne);
}

TEST(InfragraphParser, ReadsOneDeviceAListOfThemAndAnswersOfTheApi) {
  const std::string device = "{name: box, components: [{name: a, count: 1, choice: xpu}]}";
  EXPECT_EQ(parsed(device).devices.size(), 1u);
  EXPECT_EQ(parsed(fmt::format("[{}, {{name: b, components: []}}]", device)).devices.size(), 2u);
  const Document answer = parsed(
      fmt::format("{{choice: infragraph, infragraph: {{infrastructure: {{devices: [{}]}}, "
                  "annotations: {{nodes: "
                  "[{{name: box.0.a.0, attributes: [{{attribute: rank, value: '7'}}]}}], graph: "
                  "[{{attribute: site, value: x}}]}}}}}}",
                  device));
  EXPECT_EQ(answer.devices.size(), 1u);
  ASSERT_EQ(answer.nodes.size(), 1u);
  EXPECT_EQ(answer.nodes[0].node, "box.0.a.0");
  EXPECT_THAT(answer.nodes[0].attributes, ElementsAre(std::pair("rank", "7")));
  EXPECT_THAT(answer.graph, ElementsAre(std::pair("site", "x")));
}

TEST(InfragraphParser, TextsBecomeOneLineOfPrintableAscii) {
  const Document document = parsed(
      "devices: [{name: box, description: \"two\\nlines \\u201d \\e[31m\", components: []}]");
  EXPECT_EQ(document.devices[0].description, "two lines ??? ?[31m");
}

TEST(InfragraphParser, AnUnknownKindIsACustomComponent) {
  const Document document =
      parsed("{name: box, components: [{name: a, count: 1, choice: dpu}, {name: b, count: 1}]}");
  EXPECT_EQ(document.devices[0].components[0].kind, ComponentKind::kCustom);
  EXPECT_EQ(document.devices[0].components[0].custom_type, "dpu");
  EXPECT_EQ(document.devices[0].components[1].kind, ComponentKind::kCustom);
}

TEST(InfragraphParser, AllErrorsAreReportedAtOnceWhereTheyAre) {
  EXPECT_THAT(errors_of("devices:\n"
                        "- name: box\n"
                        "  components:\n"
                        "  - {count: 1, choice: xpu}\n"
                        "  - {name: a, count: many, choice: xpu}\n"
                        "  - {name: b, count: 1000001, choice: xpu}\n"
                        "  edges:\n"
                        "  - {ep1: {component: a}, link: l}\n"
                        "  - {ep1: {component: a}, ep2: {component: b}, scheme: all, link: l}\n"
                        "  connections: [a.0.l.b, a.x.l.b.0]\n"
                        "instances:\n"
                        "- {name: host}\n"),
              ElementsAre("E534 at 4:5", "E534 at 5:22", "E534 at 6:22", "E534 at 8:5",
                          "E534 at 9:56", "E534 at 10:17", "E534 at 10:26", "E534 at 12:3"));
}

TEST(InfragraphParser, OtherDocumentsAreNotInfragraph) {
  EXPECT_THAT(errors_of("hosts: [1]"), ElementsAre("E531 at 1:1"));
  EXPECT_THAT(errors_of("just words"), ElementsAre("E531 at 1:1"));
  EXPECT_THAT(errors_of("devices: 7"), ElementsAre("E534 at 1:10"));
}

TEST(InfragraphParser, OfTwoOfANameTheFirstCountsWithAWarning) {
  const Document document = parsed(
      "devices:\n"
      "- {name: box, components: [{name: a, count: 1, choice: xpu}, {name: a, count: 9}]}\n"
      "- {name: box, components: []}\n");
  ASSERT_EQ(document.devices.size(), 1u);
  ASSERT_EQ(document.devices[0].components.size(), 1u);
  EXPECT_EQ(document.devices[0].components[0].count, 1);
  const std::string warnings = input::render(document.warnings);
  EXPECT_THAT(warnings, HasSubstr("second component \"a\""));
  EXPECT_THAT(warnings, HasSubstr("second device \"box\""));
}

TEST(InfragraphParser, WarnsOfWhatIsPassedOver) {
  const Document document = parsed(
      "components: [{name: x, count: 2, type: xpu, components: [{name: die, type: xpu}]}]\n"
      "---\n"
      "more: 1\n");
  const std::string warnings = input::render(document.warnings);
  EXPECT_THAT(warnings, HasSubstr("components inside the component \"x\""));
  EXPECT_THAT(warnings, HasSubstr("a device without a name"));
  EXPECT_THAT(warnings, HasSubstr("only the first document"));
}

}  // namespace infragraph_parser_test
}  // namespace vgsim::topology::infragraph
