#include "topology/machine/host_nics.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace host_nics_test {

using namespace vgsim::literals;
using ::testing::ElementsAre;

constexpr const char* kGpu = "<pci busid=\"0000:01:00.0\" class=\"0x030200\"/>";

/// One host with a GPU and a PCI device of class 0200 with these attributes and this inside.
Imported with_nic(const std::string& more, const std::string& inside,
                  Completing completing = nullptr) {
  return import_text(one_cpu(std::string(kGpu) + "<pci busid=\"0000:02:00.0\" class=\"0x020000\" " +
                             more + ">" + inside + "</pci>"),
                     completing);
}

constexpr const char* kGen4 = "link_speed=\"16 GT/s\" link_width=\"16\"";
constexpr const char* kNet =
    "<nic><net name=\"mlx5_0\" dev=\"0\" speed=\"200000\" gdr=\"1\"/></nic>";

TEST(HostNics, TheRateIsThatOfTheFile) {
  const Imported result = with_nic(kGen4, kNet);
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  const HostNic& nic = result.host().nics.at(0);
  EXPECT_EQ(nic.name, "mlx5_0");
  EXPECT_EQ(nic.port_rate, 200_Gbitps);
  EXPECT_TRUE(nic.rdma);
  EXPECT_EQ(nic.payload_share, 0.96);
  EXPECT_EQ(nic.source, "NCCL topology test.xml");
  EXPECT_EQ(result.uplink(nic.vertex).line_rate, 32_GBps);
  EXPECT_TRUE(result.assumes("payload share and latency of NICs with 200 Gbit/s taken from"));
}

TEST(HostNics, PortsOfACardAddUp) {
  const Imported result = with_nic(kGen4,
                                   "<nic><net name=\"mlx5_4\" dev=\"4\" speed=\"200000\"/>"
                                   "<net name=\"mlx5_5\" dev=\"5\" speed=\"100000\"/></nic>");
  ASSERT_EQ(result.host().nics.size(), 1u);
  EXPECT_EQ(result.host().nics[0].port_rate, 300_Gbitps);
  EXPECT_EQ(result.host().nics[0].name, "mlx5_4");
}

/// Two NICs of a port each, at these places.
Imported with_two(const std::string& first, const std::string& second) {
  const auto card = [](const std::string& busid, int dev) {
    const std::string number = std::to_string(dev);
    return "<pci busid=\"" + busid + "\" class=\"0x020700\" " + kGen4 + "><nic><net name=\"mlx5_" +
           number + "\" dev=\"" + number + "\" speed=\"200000\"/></nic></pci>";
  };
  return import_text(one_cpu(kGpu + card(first, 0) + card(second, 1)));
}

/// Both ports of a card go through its one slot: 2 x 25 GB/s do not pass Gen4 x16.
TEST(HostNics, FunctionsOfACardShareItsLink) {
  const auto links = [](const Imported& result) {
    std::set<LinkResourceIndex> used;
    for (const HostNic& nic : result.host().nics) {
      const Edge up = result.topology.edges_from(nic.vertex).front();
      used.insert(*result.topology.link(up).resource);
    }
    return used;
  };
  const Imported card = with_two("0000:31:00.0", "0000:31:00.1");
  ASSERT_TRUE(card.ok()) << render(card.diagnostics);
  ASSERT_EQ(card.host().nics.size(), 2u);
  EXPECT_EQ(links(card).size(), 1u);
  EXPECT_EQ(links(with_two("0000:31:00.0", "0000:4a:00.0")).size(), 2u) << "two cards";
  EXPECT_EQ(links(with_two("0000:31:00.0", "0000:31:01.0")).size(), 2u) << "two devices";
}

TEST(HostNics, PlainEthernetHasNoRdma) {
  const Imported result =
      with_nic("", "<nic><net name=\"eth0\" dev=\"0\" speed=\"25000\" gdr=\"0\"/></nic>");
  EXPECT_FALSE(result.host().nics.at(0).rdma);
  EXPECT_EQ(result.host().nics.at(0).latency, 10_us) << "not that of a cloud's NIC with a plug-in";
}

TEST(HostNics, WithoutPortsTheDeviceIdIdentifiesTheNic) {
  const Imported result = with_nic("vendor=\"0x15b3\" device=\"0x1021\"", "");
  EXPECT_EQ(result.host().nics.at(0).port_rate, 400_Gbitps);
  EXPECT_EQ(result.host().nics.at(0).name, "nic0");
  EXPECT_TRUE(result.assumes("inferred from their PCI class, taken as rdma-400g: 0000:02:00.0"));
  const Imported shared = with_nic("vendor=\"0x15b3\" device=\"0x101b\"", "");
  EXPECT_EQ(shared.host().nics.at(0).port_rate, 200_Gbitps);
  EXPECT_TRUE(shared.assumes("the fastest of those with their device id (rdma-200g, rdma-100g)"));
}

TEST(HostNics, WithoutAnythingTheRateFitsTheLink) {
  EXPECT_EQ(with_nic(kGen4, "").host().nics.at(0).port_rate, 200_Gbitps);
  EXPECT_EQ(with_nic("link_speed=\"8 GT/s\" link_width=\"16\"", "").host().nics.at(0).port_rate,
            100_Gbitps);
  EXPECT_EQ(with_nic("link_speed=\"8 GT/s\" link_width=\"1\"", "").host().nics.at(0).port_rate,
            10_Gbitps);
  EXPECT_TRUE(with_nic(kGen4, "").assumes("fits PCIe Gen4 x16: 0000:02:00.0"));
}

TEST(HostNics, TheCompletionFillsMissingRates) {
  const auto all_100g = [](const Catalog& catalog) {
    HostCompletion completion;
    completion.nic = &catalog.nics.at("rdma-100g");
    return completion;
  };
  EXPECT_EQ(with_nic(kGen4, "", all_100g).host().nics.at(0).port_rate, 100_Gbitps);
  EXPECT_EQ(with_nic(kGen4, kNet, all_100g).host().nics.at(0).port_rate, 200_Gbitps);
}

TEST(HostNics, ACompletedBusIdOverridesTheFile) {
  const Imported result = with_nic(kGen4, kNet, [](const Catalog& catalog) {
    HostCompletion completion;
    completion.nics["0000:02:00.0"] = &catalog.nics.at("rdma-100g");
    return completion;
  });
  EXPECT_EQ(result.host().nics.at(0).port_rate, 100_Gbitps);
  EXPECT_EQ(result.topology.node(result.host().nics[0].vertex).model, "rdma-100g");
  EXPECT_TRUE(result.assumes("although the file gives them 200 Gbit/s: 0000:02:00.0"));
}

TEST(HostNics, NicsWithoutPciAreConnectedToTheirNumaNode) {
  const Imported result = import_text(one_cpu(
      std::string(kGpu) + "<nic><net name=\"eth0\" speed=\"100000\"/></nic><nic><net/></nic>"));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  ASSERT_EQ(result.host().nics.size(), 2u);
  EXPECT_EQ(result.nic_path(0, 0), PathClass::kPhb);
  EXPECT_EQ(result.host().nics[1].port_rate, 10_Gbitps);
  EXPECT_TRUE(result.assumes("reached from their NUMA node"));
  EXPECT_TRUE(result.assumes("taken as 10 Gbit/s, as NCCL does"));
}

TEST(HostNics, ANicUnderEveryNumaNodeIsOne) {
  const std::string nic = "<nic><net name=\"eth0\" dev=\"0\" speed=\"10000\"/></nic>";
  const Imported result = import_text(system_of("<cpu numaid=\"1\">" + nic + kGpu + "</cpu>" +
                                                "<cpu numaid=\"0\">" + nic + "</cpu>"));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  ASSERT_EQ(result.host().nics.size(), 1u);
  EXPECT_EQ(result.nic_path(0, 0), PathClass::kSys);
  EXPECT_TRUE(result.assumes("eth0 is listed under several NUMA nodes"));
}

TEST(HostNics, NumbersGiveTheOrderAndNamesAreUnique) {
  const auto pci = [](const char* busid, const char* net) {
    return std::string("<pci busid=\"") + busid +
           "\" class=\"0x020000\"><nic><net speed=\"1000\" " + net + "/></nic></pci>";
  };
  const Imported result = import_text(one_cpu(kGpu + pci("0000:05:00.0", "name=\"b\"") +
                                              pci("0000:04:00.0", "name=\"b\"") +
                                              pci("0000:09:00.0", "name=\"second\" dev=\"1\"") +
                                              pci("0000:08:00.0", "name=\"first\" dev=\"0\"")));
  std::vector<std::string> names;
  for (const HostNic& nic : result.host().nics) names.push_back(nic.name);
  EXPECT_THAT(names, ElementsAre("first", "second", "b", "nic3"));
}

}  // namespace host_nics_test
}  // namespace vgsim::topology::testing
