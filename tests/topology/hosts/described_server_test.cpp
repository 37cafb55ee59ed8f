#include "topology/hosts/described_server.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/support/described_host.hpp"
#include "topology/graph/paths.hpp"
#include "topology/hosts/compare_hosts.hpp"

namespace vgsim::topology {
namespace described_server_test {

using testing::HasSubstr;

struct Host1 {
  Topology topology;
  input::Diagnostics diagnostics;
};

Host1 built(const std::string& json) {
  Host1 host;
  test::add_described_host(host.topology, "esx01", json, host.diagnostics);
  return host;
}

PathClass between(const Host1& host, std::size_t a, std::size_t b) {
  const auto& gpus = host.topology.hosts.at(0).gpus;
  return HostPaths(host.topology, gpus.at(a), Travel::kAny).class_to(gpus.at(b));
}

constexpr const char* kFourGpus = R"({
  "server": { "name": "HPE ProLiant DL380a Gen12", "cpu": "2 x intel-granite-rapids",
              "gpu_slots": ["2 x gen5 x16 on socket0", "2 x gen5 x16 on socket1"],
              "nic_slots": { "slot21": "gen5 x16 on socket0", "slot22": "gen5 x16 on socket1" } },
  "gpus": "4 x l40s",
  "nics": { "vmnic4": { "nic": "connectx-6-dx-100g", "slot": "slot21" },
            "vmnic5": { "nic": "connectx-6-dx-100g", "near": "gpu3" } } })";

TEST(DescribedServer, IsAHostLikeAnother) {
  const Host1 host = built(kFourGpus);
  ASSERT_FALSE(host.diagnostics.has_errors()) << input::render(host.diagnostics);
  EXPECT_EQ(host.topology.hosts.at(0).gpus.size(), 4U);
  EXPECT_EQ(between(host, 0, 1), PathClass::kPhb) << "root ports of one socket";
  EXPECT_EQ(between(host, 1, 2), PathClass::kSys);
  const auto& nics = host.topology.hosts.at(0).nics;
  ASSERT_EQ(nics.size(), 2U);
  EXPECT_EQ(nics.at(0).name, "vmnic4");
  const HostPaths paths(host.topology, nics.at(1).vertex, Travel::kPcieOnly);
  EXPECT_EQ(paths.class_to(host.topology.hosts.at(0).gpus.at(3)), PathClass::kPhb);
}

TEST(DescribedServer, EqualsTheCorrespondingCatalogueEntry) {
  const Host1 entry = built(R"({"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb",
    "nics": {"a": {"nic": "connectx-7-ndr-400g", "slot": "nic3"},
             "b": {"nic": "connectx-6-dx-100g", "slot": "slot10"}}})");
  const Host1 described = built(R"({
    "server": { "cpu": "2 x intel-sapphire-rapids",
      "root_complexes": {"rc5": {"socket": 1}},
      "pcie_switches": {"sw0": "gen5 x16 on socket0", "sw1": "gen5 x16 on socket0",
                        "sw2": "gen5 x16 on socket1", "sw3": "gen5 x16 on socket1"},
      "gpu_slots": ["2 x gen5 x16 on sw0", "2 x gen5 x16 on sw1",
                    "2 x gen5 x16 on sw2", "2 x gen5 x16 on sw3"],
      "nic_slots": {"nic3": "Gen5 x16 under sw1", "slot10": "gen5 x16 on rc5"} },
    "gpus": "8 x h100-sxm5-80gb", "nvlink": {"kind": "nvswitch", "switch": "nvswitch3"},
    "nics": {"a": {"nic": "connectx-7-ndr-400g", "slot": "nic3"},
             "b": {"nic": "connectx-6-dx-100g", "slot": "slot10"}}})");
  ASSERT_FALSE(described.diagnostics.has_errors()) << input::render(described.diagnostics);
  const auto found = compare_hosts(entry.topology, "entry", described.topology, "described");
  EXPECT_GT(found.compared, 28U);
  EXPECT_THAT(found.paths, testing::IsEmpty());
  EXPECT_THAT(found.speeds, testing::IsEmpty());
}

TEST(DescribedServer, TakesBridgesIfStated) {
  const std::string server = R"({"server": { "cpu": "2 x intel-ice-lake-sp",
      "gpu_slots": ["2 x gen4 x16 on socket0", "2 x gen4 x16 on socket1"] },
    "gpus": "4 x a100-pcie-80gb")";
  const Host1 bridged = built(server + R"(, "nvlink_bridges": [[0, 1], [2, 3]]})");
  ASSERT_FALSE(bridged.diagnostics.has_errors()) << input::render(bridged.diagnostics);
  EXPECT_EQ(between(bridged, 2, 3), PathClass::kNvl);
  EXPECT_EQ(between(bridged, 0, 3), PathClass::kSys);
  EXPECT_EQ(between(built(server + "}"), 0, 1), PathClass::kPhb);
  EXPECT_THAT(
      input::render(
          built(server + R"(, "nvlink": {"kind": "bridge", "pairs": [[0, 1]]}})").diagnostics),
      HasSubstr("nvlink_bridges"));
}

TEST(DescribedServer, SlotsBelowASwitchShareItsLink) {
  const Host1 host = built(R"({"server": { "cpu": "1 x intel-sapphire-rapids",
      "pcie_switches": {"leaf": "gen5 x16 on top", "top": "gen5 x16 on socket0"},
      "gpu_slots": ["8 x gen5 x16 on leaf"] }, "gpus": "8 x l40s"})");
  ASSERT_FALSE(host.diagnostics.has_errors()) << input::render(host.diagnostics);
  EXPECT_EQ(between(host, 0, 7), PathClass::kPix);
}

TEST(DescribedServer, TakesNoMoreLanesThanItsCpusHave) {
  const Host1 host = built(R"({"server": { "cpu": "2 x intel-sapphire-rapids",
      "gpu_slots": ["6 x gen5 x16 on socket0"] }, "gpus": "6 x l40s"})");
  EXPECT_THAT(input::render(host.diagnostics), HasSubstr("use 96 lanes of socket0"));
  EXPECT_THAT(input::render(host.diagnostics), HasSubstr("has 80"));
}

TEST(DescribedServer, ReportsAllErrorsAtOnce) {
  const Host1 host = built(R"({"server": { "cpu": "2 x intel-granit-rapids",
      "root_complexes": {"rc": {"socket": 2}},
      "pcie_switches": {"sw0": "gen5 x16 on sw1", "sw1": "gen5 x16 on sw0"},
      "gpu_slots": ["2 x gen5 x16 on socket3"],
      "nic_slots": {"slot": "gen5 x16 on sw2"} }})");
  const std::string text = input::render(host.diagnostics);
  EXPECT_THAT(text, HasSubstr("did you mean \"intel-granite-rapids\""));
  EXPECT_THAT(text, HasSubstr("no socket 2"));
  EXPECT_THAT(text, HasSubstr("PCIe switch \"sw0\" is below itself"));
  EXPECT_THAT(text, HasSubstr("unknown place \"socket3\""));
  EXPECT_THAT(text, HasSubstr("at /server/nic_slots/slot"));
  EXPECT_THAT(text, HasSubstr("6 errors"));
}

TEST(DescribedServer, AnUnknownNameLeadsToTheDescription) {
  const std::string text =
      input::render(built(R"({"server": "hpe-dl999", "gpus": "4 x l40s"})").diagnostics);
  EXPECT_THAT(text, HasSubstr("unknown server \"hpe-dl999\""));
  EXPECT_THAT(text, HasSubstr("\"gpu_slots\""));
  EXPECT_LT(text.size(), 700U) << "no list of all servers";
}

}  // namespace described_server_test
}  // namespace vgsim::topology
