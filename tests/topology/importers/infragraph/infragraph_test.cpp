#include "topology/importers/infragraph/infragraph.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "topology/inventory/path_classes.hpp"

namespace vgsim::topology {
namespace infragraph_test {

using inventory::Device;
using inventory::DeviceKind;
using inventory::Inventory;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Inventory> hosts_of(const std::string& text) {
  auto hosts = read_infragraph(input::make_source("t.yaml", text));
  if (!hosts) throw std::runtime_error(input::render(hosts.error()));
  return *std::move(hosts);
}

Inventory host_of(const std::string& text) { return hosts_of(text).front(); }

std::vector<const Device*> of_kind(const Inventory& host, DeviceKind kind) {
  std::vector<const Device*> found;
  inventory::for_each_device(host, [&](const Device& device) {
    if (device.kind == kind) found.push_back(&device);
  });
  return found;
}

/// Rows of the path matrix, "X NV12 PIX".
std::vector<std::string> paths(const Inventory& host) {
  std::vector<std::string> rows;
  for (const auto& cells : inventory::path_classes(host).cells) {
    rows.push_back(fmt::format("{}", fmt::join(cells, " ")));
  }
  return rows;
}

std::string edge(const std::string& a, const std::string& b, const std::string& link,
                 const std::string& scheme = "many2many") {
  return fmt::format(
      "  - {{ep1: {{component: \"{}\"}}, ep2: {{component: \"{}\"}}, scheme: {}, link: {}}}\n", a,
      b, scheme, link);
}

/// A device "box" of these components, edges and links.
std::string box(const std::string& components, const std::string& edges,
                const std::string& links = "") {
  return "devices:\n- name: box\n  components:\n" + components + "  links:\n" +
         "  - {name: pcie, description: PCIe Gen4 x16}\n  - {name: nvlink}\n" + links +
         "  edges:\n" + edges;
}

constexpr const char* kParts =
    "  - {name: cpu, count: 2, choice: cpu, description: Some CPU}\n"
    "  - {name: acc, count: 4, choice: xpu, description: Some GPU}\n"
    "  - {name: card, count: 2, choice: nic, description: Some NIC}\n"
    "  - {name: sw, count: 2, choice: switch, description: PLX switch}\n"
    "  - {name: nvsw, count: 3, choice: switch, description: NVSwitch}\n";

std::string two_switches() {
  return edge("cpu", "cpu", "upi") + edge("cpu", "sw", "pcie", "one2one") +
         edge("sw[0]", "acc[0:2]", "pcie") + edge("sw[1]", "acc[2:4]", "pcie") +
         edge("sw", "card", "pcie", "one2one");
}

TEST(Infragraph, IsToldFromOtherYamlAndJson) {
  EXPECT_TRUE(is_infragraph(box(kParts, two_switches())));
  EXPECT_TRUE(is_infragraph("{\"components\":[],\"edges\":[{\"ep1\":{}}],\"name\":\"x\"}"));
  EXPECT_TRUE(is_infragraph("devices:\n- name: a\n  components:\n  - type: npu\n"));
  EXPECT_TRUE(is_infragraph("infrastructure:\n  connections:\n  - a.0.b.0.l.c.0.d.0\n"));
  EXPECT_FALSE(is_infragraph(""));
  EXPECT_FALSE(is_infragraph("<system version=\"1\"/>"));
  EXPECT_FALSE(is_infragraph("openapi: 3.0.3\ncomponents:\n  devices:\n  choice:\n"));
  EXPECT_FALSE(is_infragraph("{\"hosts\": [], \"links\": []}"));
  EXPECT_FALSE(is_infragraph("The components: choice of devices"));
  EXPECT_FALSE(
      is_infragraph("{\"bomFormat\": \"CycloneDX\", \"components\": [{\"type\": \"a\"}]}"));
}

TEST(Infragraph, CpusAreNumaNodesAndEdgesThePcieTree) {
  const Inventory host = host_of(box(kParts, two_switches()));
  ASSERT_EQ(host.numa_nodes.size(), 2u);
  EXPECT_EQ(host.numa_nodes[1].package->value, 1);
  EXPECT_EQ(host.numa_nodes[1].id->source, inventory::kAssumed);
  EXPECT_EQ(host.numa_nodes[0].cpu_name->value, "Some CPU");
  EXPECT_THAT(paths(host), ElementsAre("X PIX SYS SYS PIX SYS", "PIX X SYS SYS PIX SYS",
                                       "SYS SYS X PIX SYS PIX", "SYS SYS PIX X SYS PIX",
                                       "PIX PIX SYS SYS X SYS", "SYS SYS PIX PIX SYS X"));
  const auto gpus = of_kind(host, DeviceKind::kGpu);
  ASSERT_EQ(gpus.size(), 4u);
  EXPECT_EQ(gpus[3]->name->value, "Some GPU");
  EXPECT_EQ(gpus[3]->gpu->index->value, 3);
  EXPECT_EQ(gpus[3]->link->value.generation, 4);
  EXPECT_EQ(gpus[3]->link->value.lanes, 16);
  EXPECT_EQ(gpus[3]->link->source, "t.yaml");
  EXPECT_EQ(gpus[3]->bus_id, "");
  EXPECT_EQ(of_kind(host, DeviceKind::kBridge)[0]->name->value, "PLX switch");
  EXPECT_EQ(host.model->value, "box");
  EXPECT_THAT(host.assumed, Contains(HasSubstr("taken as one host")));
}

TEST(Infragraph, NvlinksToAllSwitchesAddUp) {
  const Inventory host = host_of(box(kParts, two_switches() + edge("acc", "nvsw", "nvlink")));
  for (const Device* gpu : of_kind(host, DeviceKind::kGpu)) {
    ASSERT_EQ(gpu->gpu->nvlinks.size(), 1u);
    EXPECT_EQ(gpu->gpu->nvlinks[0].target.value, inventory::kHiddenNvSwitch);
    EXPECT_EQ(gpu->gpu->nvlinks[0].count.value, 3);
    EXPECT_EQ(gpu->gpu->nvlinks[0].count.source, inventory::kAssumed);
  }
  EXPECT_THAT(host.assumed, Contains(HasSubstr("\"nvlink\" is taken as one link")));
  EXPECT_THAT(of_kind(host, DeviceKind::kNvSwitch), IsEmpty());
}

TEST(Infragraph, NvswitchesMayHangOnPcieAndBeLinkedByAnything) {
  const Inventory host = host_of(
      box(kParts, two_switches() + edge("acc", "nvsw", "pcie") + edge("nvsw", "sw[1]", "pcie")));
  EXPECT_EQ(of_kind(host, DeviceKind::kNvSwitch).size(), 3u);
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu)[0]->gpu->nvlinks[0].count.value, 3);
  EXPECT_THAT(host.assumed, Contains(HasSubstr("over \"pcie\" are taken as NVLinks")));
}

TEST(Infragraph, ASwitchWithNvlinksToGpusIsAnNvswitchWhateverItsName) {
  const Inventory host =
      host_of(box(std::string(kParts) + "  - {name: plane, count: 1, choice: switch}\n",
                  two_switches() + edge("acc", "plane", "nvlink")));
  EXPECT_EQ(of_kind(host, DeviceKind::kBridge).size(), 2u);
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu)[0]->gpu->nvlinks[0].count.value, 1);
}

TEST(Infragraph, EachPairOfAFullMeshIsLinkedOnce) {
  const Inventory host = host_of(box(kParts, two_switches() + edge("acc", "acc", "nvlink4"),
                                     "  - {name: nvlink4, description: 4 NVLinks}\n"));
  const auto gpus = of_kind(host, DeviceKind::kGpu);
  for (const Device* gpu : gpus) {
    EXPECT_EQ(gpu->gpu->nvlinks.size(), 3u);
    for (const auto& links : gpu->gpu->nvlinks) EXPECT_EQ(links.count.value, 4);
  }
  EXPECT_EQ(inventory::nvlinks_between(*gpus[0], *gpus[3]), 4);
  EXPECT_EQ(gpus[0]->gpu->nvlinks[0].target.value, gpus[1]->bus_id);
  EXPECT_EQ(gpus[0]->gpu->nvlinks[0].target.source, inventory::kAssumed);
  EXPECT_EQ(gpus[1]->bus_id, inventory::placeholder_bus_id(DeviceKind::kGpu, 1));
  EXPECT_THAT(host.assumed, Contains(HasSubstr("bus ids of GPUs are made up")));
}

TEST(Infragraph, LinksOfAmdAreXgmiAndOthersAreLeftOut) {
  const Inventory amd = host_of(box(kParts, two_switches() + edge("acc[0]", "acc[1]", "mesh"),
                                    "  - {name: mesh, description: AMD Infinity Fabric}\n"));
  EXPECT_TRUE(of_kind(amd, DeviceKind::kGpu)[0]->gpu->xgmi);
  const Inventory torus =
      host_of(box(kParts, two_switches() + edge("acc", "acc", "ici", "ring"), "  - {name: ici}\n"));
  EXPECT_THAT(of_kind(torus, DeviceKind::kGpu)[0]->gpu->nvlinks, IsEmpty());
  EXPECT_THAT(torus.skipped, Contains(HasSubstr("over \"ici\" are left out")));
}

TEST(Infragraph, SlotsAndPciDevicesAreNotBridges) {
  const Inventory host = host_of(
      box(std::string(kParts) +
              "  - {name: slot, count: 6, choice: custom, custom: {type: pcie_slot}}\n"
              "  - {name: root, count: 2, choice: custom, custom: {type: root_bridge}}\n",
          edge("cpu[0]", "root", "pcie") + edge("root[0]", "slot[0:3]", "pcie") +
              edge("root[1]", "slot[3:6]", "pcie") + edge("slot[0:4]", "acc", "pcie", "one2one") +
              edge("slot[4:6]", "card", "pcie", "one2one")));
  EXPECT_THAT(of_kind(host, DeviceKind::kBridge), IsEmpty());
  EXPECT_EQ(host.numa_nodes[0].devices.size(), 6u);
  EXPECT_THAT(paths(host)[0], "X PHB PHB NODE NODE NODE") << "two root complexes";
  EXPECT_THAT(host.skipped, Contains(HasSubstr("2 x sw")));
}

TEST(Infragraph, ASlotWithTwoDevicesIsABridge) {
  const Inventory host =
      host_of(box(std::string(kParts) +
                      "  - {name: slot, count: 1, choice: custom, custom: {type: pcie_slot}}\n",
                  edge("cpu[0]", "slot", "pcie") + edge("slot", "acc[0]", "pcie") +
                      edge("slot", "card[0]", "pcie")));
  ASSERT_EQ(of_kind(host, DeviceKind::kBridge).size(), 1u);
  EXPECT_EQ(of_kind(host, DeviceKind::kBridge)[0]->below.size(), 2u);
}

TEST(Infragraph, ALinkIsAsFastAsTheSlowestOnTheWay) {
  const Inventory host =
      host_of(box(std::string(kParts) +
                      "  - {name: slot, count: 1, choice: custom, custom: {type: pcie_slot}}\n",
                  edge("cpu[0]", "slot", "narrow") + edge("slot", "acc[0]", "pcie"),
                  "  - {name: narrow, description: PCIe Gen3 x8}\n"));
  const auto& link = of_kind(host, DeviceKind::kGpu)[0]->link;
  ASSERT_TRUE(link);
  EXPECT_EQ(link->value.generation, 3);
  EXPECT_EQ(link->value.lanes, 8);
}

TEST(Infragraph, WidthsThatFollowFromBandwidthAreAssumedAndUntoldOnesAreSaid) {
  const Inventory host = host_of(
      box(kParts, edge("cpu[0]", "acc[0]", "wide") + edge("cpu[0]", "acc[1]", "vague"),
          "  - {name: wide, description: PCIe Gen5, physical: {bandwidth: {gigabytes_per_second: "
          "64}}}\n  - {name: vague, description: PCIe Gen5}\n"));
  const auto gpus = of_kind(host, DeviceKind::kGpu);
  EXPECT_EQ(gpus[0]->link->value.lanes, 16);
  EXPECT_EQ(gpus[0]->link->source, inventory::kAssumed);
  EXPECT_FALSE(gpus[1]->link);
  EXPECT_THAT(host.assumed,
              Contains("link \"wide\" has 16 lanes, as its 64 GB/s follow from them"));
  EXPECT_THAT(host.skipped, Contains("of link \"vague\", PCIe width is not told"));
}

TEST(Infragraph, CardsDescribedAsDevicesAreOneNicEach) {
  const Inventory host = host_of(
      "devices:\n"
      "- name: box\n"
      "  components:\n"
      "  - {name: cpu, count: 1, choice: cpu}\n"
      "  - {name: acc, count: 1, choice: xpu}\n"
      "  - {name: cx9, count: 2, choice: device, description: A network card}\n"
      "  links: [{name: pcie}]\n"
      "  edges:\n" +
      edge("cpu", "acc", "pcie") +
      "  - {ep1: {device: \"cx9[0:2]\", component: \"finger[0]\"}, ep2: {component: cpu}, scheme: "
      "many2many, link: pcie}\n"
      "- name: cx9\n"
      "  components:\n"
      "  - {name: finger, count: 1, choice: custom, custom: {type: pcie_endpoint}}\n"
      "  - {name: asic, count: 1, choice: cpu}\n"
      "  - {name: port, count: 2, choice: port}\n"
      "  links: [{name: in}]\n"
      "  edges:\n" +
      edge("asic", "port", "in") + "instances: [{name: node7, device: box, count: 1}]\n");
  EXPECT_EQ(host.numa_nodes.size(), 1u) << "the card's processor is no CPU of the host";
  EXPECT_EQ(of_kind(host, DeviceKind::kNic).size(), 2u);
  EXPECT_EQ(host.numa_nodes[0].devices.size(), 3u);
  EXPECT_EQ(host.name->value, "node7");
}

TEST(Infragraph, TraysWithGpusAreOpened) {
  const Inventory host = host_of(
      "devices:\n"
      "- name: rack\n"
      "  components: [{name: tray, count: 3, choice: device}]\n"
      "  links: []\n"
      "  edges: []\n"
      "- name: tray\n"
      "  components: [{name: cpu, count: 1, choice: cpu}, {name: acc, count: 2, choice: xpu}]\n"
      "  links: [{name: pcie}]\n"
      "  edges:\n" +
      edge("cpu", "acc", "pcie"));
  EXPECT_EQ(host.numa_nodes.size(), 3u);
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu).size(), 6u);
  EXPECT_EQ(host.model->value, "rack") << "a tray is a part of it";
}

TEST(Infragraph, ADeviceInItselfIsRefused) {
  const auto hosts = read_infragraph(input::make_source(
      "t.yaml",
      "devices: [{name: a, components: [{name: a, count: 2, choice: device}, {name: g, count: 1, "
      "choice: xpu}]}]\n"
      "instances: [{name: host, device: a, count: 1}]\n"));
  ASSERT_FALSE(hosts);
  EXPECT_EQ(hosts.error().items().front().code, "E533");
}

TEST(Infragraph, GpusAndNicsThatAreJoinedDirectlyShareASwitch) {
  const Inventory host = host_of(box(kParts, edge("acc[0:2]", "card", "pcie", "one2one")));
  const auto bridges = of_kind(host, DeviceKind::kBridge);
  ASSERT_EQ(bridges.size(), 2u);
  EXPECT_EQ(bridges[0]->below.size(), 2u);
  EXPECT_THAT(host.assumed, Contains(HasSubstr("joined directly")));
  EXPECT_THAT(host.skipped, Contains(HasSubstr("places of devices are not told")));
  EXPECT_EQ(host.unplaced.size(), 4u) << "two switches, two GPUs";
}

TEST(Infragraph, GpusThatOnlyChipToChipLinksPlaceAreOnTheirCpusNode) {
  const Inventory host =
      host_of(box(kParts, edge("cpu[1]", "acc[2:4]", "c2c"), "  - {name: c2c}\n"));
  EXPECT_EQ(host.numa_nodes[1].devices.size(), 2u);
  EXPECT_FALSE(host.numa_nodes[1].devices[0].link);
  EXPECT_THAT(host.assumed, Contains(HasSubstr("that no PCIe edge places")));
}

TEST(Infragraph, EdgesThatCloseALoopAreCounted) {
  const Inventory host = host_of(box(
      kParts, two_switches() + edge("sw[0]", "sw[1]", "pcie") + edge("cpu[1]", "sw[0]", "pcie")));
  EXPECT_THAT(host.skipped, Contains(HasSubstr("2 PCIe edges that would close a loop")));
  EXPECT_THAT(paths(host)[0], "X PIX SYS SYS PIX SYS");
}

TEST(Infragraph, NamesAndIndexesThatDoNotExistAreWarnings) {
  const Inventory host =
      host_of(box(kParts, two_switches() + edge("pcie_sl[0:3]", "sw[0]", "pcie") +
                              edge("acc", "nvsw[0:4]", "nvlink") + edge("sw[7]", "card", "wire")));
  const std::string warnings = input::render(host.warnings);
  EXPECT_THAT(warnings, HasSubstr("an edge names \"pcie_sl[0:3]\""));
  EXPECT_THAT(warnings, HasSubstr("\"nvsw[0:4]\" reaches beyond the 3 of \"nvsw\""));
  EXPECT_THAT(warnings, HasSubstr("\"sw[7]\" reaches beyond"));
  EXPECT_THAT(warnings, HasSubstr("no link \"wire\""));
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu)[0]->gpu->nvlinks[0].count.value, 3);
}

TEST(Infragraph, NamesMayHoldBracketsAndPoints) {
  const Inventory host = host_of(box(
      "  - {name: cpu, count: 1, choice: cpu}\n"
      "  - {name: \"GA9 [Gadget 3.1]\", count: 2, choice: xpu}\n",
      edge("cpu", "GA9 [Gadget 3.1][1]", "pcie") + edge("cpu[0]", "GA9 [Gadget 3.1][0]", "pcie")));
  EXPECT_EQ(host.numa_nodes[0].devices.size(), 2u);
  EXPECT_EQ(host.numa_nodes[0].devices[0].name->value, "GA9 [Gadget 3.1]");
  EXPECT_EQ(host.numa_nodes[0].devices[0].gpu->index->value, 1);
}

TEST(Infragraph, ThereIsOneInventoryForEachKindOfHost) {
  const auto hosts = hosts_of(
      "devices:\n"
      "- {name: big, components: [{name: acc, count: 8, choice: xpu}, {name: n, count: 2, choice: "
      "nic}], links: [], edges: []}\n"
      "- {name: small, components: [{name: acc, count: 1, choice: xpu}], links: [], edges: []}\n"
      "- {name: tor, components: [{name: port, count: 8, choice: port}], links: [], edges: []}\n"
      "instances:\n"
      "- {name: trainer, device: big, count: 4}\n"
      "- {name: leaf, device: tor, count: 2}\n"
      "- {name: edge, device: small, count: 1}\n"
      "links: [{name: fibre, physical: {bandwidth: {gigabits_per_second: 400}}}]\n"
      "edges:\n"
      "- {ep1: {instance: \"trainer[0:4]\", component: n}, ep2: {instance: \"leaf[0]\", component: "
      "port}, scheme: one2one, link: fibre}\n");
  ASSERT_EQ(hosts.size(), 2u);
  EXPECT_EQ(of_kind(hosts[0], DeviceKind::kGpu).size(), 8u);
  EXPECT_EQ(hosts[0].name->value, "trainer.0");
  EXPECT_EQ(hosts[1].name->value, "edge");
  EXPECT_THAT(hosts[0].skipped,
              AllOf(Contains("3 more hosts like this one: 4 x trainer of device \"big\""),
                    Contains("what is not a GPU host: 2 x leaf (tor)"),
                    Contains("the network between hosts, which no inventory holds: trainer to leaf "
                             "over fibre (8 edges, 400 Gbit/s each)")));
}

TEST(Infragraph, AnnotationsTellBusIdsPortsAndNumbers) {
  const Inventory host = host_of(
      "infrastructure:\n"
      "  devices:\n"
      "  - name: box\n"
      "    components: [{name: cpu, count: 1, choice: cpu}, {name: acc, count: 2, choice: xpu}, "
      "{name: n, count: 1, choice: nic}, {name: nvsw, count: 1, choice: switch}]\n"
      "    links: [{name: pcie}, {name: nvlink}]\n"
      "    edges:\n  " +
      edge("cpu", "acc", "pcie") + "  " + edge("cpu", "n", "pcie") + "  " +
      edge("acc", "nvsw", "nvlink") +
      "  instances: [{name: a, device: box, count: 1}]\n"
      "annotations:\n"
      "  nodes:\n"
      "  - {name: a.0.acc.1, attributes: [{attribute: busid, value: \"0000:8B:00.0\"}, {attribute: "
      "dev, value: \"0\"}, {attribute: sm, value: \"90\"}, {attribute: colour, value: red}, "
      "{attribute: type, value: xpu}]}\n"
      "  - {name: a.0.n.0, attributes: [{attribute: name, value: mlx5_3}, {attribute: speed, "
      "value: "
      "\"400000\"}, {attribute: name_2, value: mlx5_4}]}\n"
      "  - {name: a.0.nvsw.0, attributes: [{attribute: busid, value: \"0000:c3:00.0\"}]}\n"
      "  - {name: a.0.cpu.0, attributes: [{attribute: numa_node, value: \"3\"}, {attribute: "
      "package, "
      "value: \"1\"}]}\n"
      "  graph: [{attribute: host_name, value: node.example.com}]\n");
  const auto gpus = of_kind(host, DeviceKind::kGpu);
  EXPECT_EQ(gpus[1]->bus_id, "0000:8b:00.0");
  EXPECT_EQ(gpus[1]->gpu->index->value, 0);
  EXPECT_EQ(gpus[1]->gpu->index->source, "t.yaml");
  EXPECT_EQ(gpus[1]->gpu->sm->value, 90);
  EXPECT_EQ(gpus[1]->gpu->nvlinks[0].target.value, "0000:c3:00.0");
  const auto& ports = of_kind(host, DeviceKind::kNic)[0]->ports;
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].megabits->value, 400000);
  EXPECT_EQ(ports[1].name->value, "mlx5_4");
  EXPECT_EQ(host.numa_nodes[0].id->value, 3);
  EXPECT_EQ(host.name->value, "node.example.com");
  EXPECT_THAT(host.skipped, Contains("annotations: colour"));
}

TEST(Infragraph, AKindThatIsMisspelledDoesNotMakeAGpuOfTheManagementController) {
  const Inventory host =
      host_of(box(std::string(kParts) + "  - {name: ASPEED Graphics, count: 1, choice: \"xpu|\"}\n",
                  two_switches() + edge("cpu[0]", "ASPEED Graphics", "pcie")));
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu).size(), 4u);
}

TEST(Infragraph, GraphicsOfTheManagementControllerIsLeftOut) {
  const Inventory host = host_of(
      box(std::string(kParts) + "  - {name: ASPEED Graphics Family, count: 1, choice: xpu}\n",
          two_switches() + edge("cpu[0]", "ASPEED Graphics Family[0]", "pcie")));
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu).size(), 4u);
  EXPECT_THAT(host.skipped, Contains(HasSubstr("1 x ASPEED Graphics Family")));
}

TEST(Infragraph, CountsThatDraftsLeaveOutAreThoseThatConnectionsName) {
  const Inventory host = host_of(
      "device:\n"
      "- name: box\n"
      "  components: [{name: cpu, type: cpu}, {name: npu, type: npu}, {name: pciesw, type: "
      "custom}]\n"
      "  links: [{name: pcie}]\n"
      "  connections: [cpu.0.pcie.pciesw.0, cpu.1.pcie.pciesw.1, pciesw.0.pcie.npu.0, "
      "pciesw.1.pcie.npu.1, pciesw.1.pcie.npu.2]\n");
  EXPECT_EQ(host.numa_nodes.size(), 2u);
  EXPECT_EQ(of_kind(host, DeviceKind::kGpu).size(), 3u);
  EXPECT_EQ(host.numa_nodes[1].devices[0].below.size(), 2u);
  EXPECT_THAT(host.assumed, Contains(HasSubstr("no count is told")));
}

TEST(Infragraph, WithoutGpusThereIsNothingInIt) {
  const auto hosts = read_infragraph(input::make_source(
      "t.yaml", "devices: [{name: tor, components: [{name: p, count: 4, choice: port}]}]"));
  ASSERT_FALSE(hosts);
  const auto error = hosts.error().items().front();
  EXPECT_EQ(error.code, "E532");
  EXPECT_THAT(error.message, HasSubstr("no device in the document has GPUs"));
  EXPECT_FALSE(error.expected.empty());
}

}  // namespace infragraph_test
}  // namespace vgsim::topology
