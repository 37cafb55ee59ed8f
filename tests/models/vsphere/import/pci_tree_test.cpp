#include "models/vsphere/import/pci_tree.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace pci_tree_test {

using testing::device_at;
using testing::shown;
using testing::tree_of;
using topology::inventory::DeviceKind;

/// A list of functions: class and bus id, the bridge above and the NUMA node.
class List {
 public:
  List& add(const std::string& pci_class, const std::string& bus_id, const std::string& parent = "",
            std::optional<std::int64_t> numa = std::nullopt) {
    PciFunction function;
    function.device.bus_id = "0000:" + bus_id;
    function.device.pci_class = {{pci_class, "file"}};
    function.device.vendor = {{"10de", "file"}};
    if (numa) function.device.numa_node = {{*numa, "file"}};
    if (!parent.empty()) function.parent = "0000:" + parent;
    functions_.push_back(std::move(function));
    return *this;
  }
  List& root_port(const std::string& bus_id, const std::string& parent) {
    add("0604", bus_id, parent);
    functions_.back().root_port = true;
    return *this;
  }
  List& virtual_function(const std::string& bus_id, const std::string& parent) {
    add("0200", bus_id, parent);
    functions_.back().virtual_function = true;
    return *this;
  }

  /// The host with its sentences and warnings; errors in the reading.
  testing::Reading place() {
    FileNotes notes(input::make_source("file", "text"));
    Inventory host;
    place_pci_functions(std::move(functions_), notes, host);
    notes.tell(host);
    testing::Reading reading;
    reading.ok = !notes.failed();
    reading.messages = notes.errors();
    reading.facts.hosts.push_back(std::move(host));
    return reading;
  }

 private:
  std::vector<PciFunction> functions_;
};

TEST(PciTree, RootPortsVanish) {
  const auto reading = List().add("0604", "16:01.0").add("0302", "17:00.0", "16:01.0", 0).place();
  EXPECT_EQ(tree_of(reading.host()), "0: 17:00.0; unplaced: ");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:17:00.0").root_complex), "0000:16");
}

TEST(PciTree, ASwitchIsOneBridge) {
  const auto reading = List()
                           .add("0604", "80:01.0", "", 1)
                           .add("0604", "81:00.0", "80:01.0")
                           .add("0604", "82:00.0", "81:00.0")
                           .add("0604", "82:04.0", "81:00.0")
                           .add("0604", "82:08.0", "81:00.0")
                           .add("0302", "83:00.0", "82:00.0")
                           .add("0200", "84:00.0", "82:04.0")
                           .add("0200", "84:00.1", "82:04.0")
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "1: 81:00.0[83:00.0 84:00.0 84:00.1]; unplaced: ");
  const auto& bridge = device_at(reading.host(), "0000:81:00.0");
  EXPECT_EQ(bridge.kind, DeviceKind::kBridge);
  EXPECT_EQ(shown(bridge.root_complex), "0000:80");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:83:00.0").root_complex), "-");
  EXPECT_TRUE(reading.says("1 PCI functions are omitted")) << "the port that leads nowhere";
}

TEST(PciTree, SwitchesInRowAreNested) {
  const auto reading = List()
                           .add("0604", "80:01.0", "", 0)
                           .add("0604", "81:00.0", "80:01.0")
                           .add("0604", "82:00.0", "81:00.0")
                           .add("0604", "83:00.0", "82:00.0")
                           .add("0604", "84:00.0", "83:00.0")
                           .add("0302", "85:00.0", "84:00.0")
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "0: 81:00.0[83:00.0[85:00.0]]; unplaced: ");
}

TEST(PciTree, AHostBridgeIsTheRoot) {
  const auto reading = List()
                           .add("0600", "00:00.0")
                           .add("0604", "16:00.0", "00:00.0")
                           .add("0302", "18:00.0", "16:00.0", 0)
                           .add("0680", "05:00.0", "00:00.0", 0)
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "0: 16:00.0[18:00.0] 05:00.0; unplaced: ");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:16:00.0").root_complex), "0000:00");
}

TEST(PciTree, ARootPortIsOneWhateverIsSaidToBeAboveIt) {
  const auto reading = List()
                           .add("0600", "00:00.0")
                           .root_port("16:01.0", "00:00.0")
                           .add("0604", "17:00.0", "16:01.0")
                           .add("0604", "18:00.0", "17:00.0")
                           .add("0302", "19:00.0", "18:00.0", 0)
                           .root_port("97:01.0", "42:00.0")
                           .add("0302", "98:00.0", "97:01.0", 1)
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "0: 17:00.0[19:00.0]; 1: 98:00.0; unplaced: ");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:17:00.0").root_complex), "0000:16");
}

TEST(PciTree, TheNodeOfADeviceBelowIsThatOfItsBridge) {
  const auto reading = List()
                           .add("0604", "16:01.0")
                           .add("0604", "17:00.0", "16:01.0")
                           .add("0604", "18:00.0", "17:00.0")
                           .add("0302", "19:00.0", "18:00.0", 3)
                           .add("0604", "00:1c.0")
                           .add("0200", "01:00.0", "00:1c.0")
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "3: 17:00.0[19:00.0]; -: 01:00.0; unplaced: ");
  EXPECT_TRUE(reading.says("does not state the NUMA node: 0000:01:00.0"));
}

TEST(PciTree, DevicesBelowBridgesThatAreNotListedHaveNoPlace) {
  const auto reading = List()
                           .add("0604", "00:15.0")
                           .add("0200", "0b:00.0", "00:15.0", 0)
                           .add("0302", "8a:00.0", "85:03.0", 1)
                           .add("0302", "8c:00.0", "85:04.0", 1)
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "0: 0b:00.0; unplaced: 8a:00.0 8c:00.0");
  const auto& gpu = device_at(reading.host(), "0000:8a:00.0");
  EXPECT_EQ(shown(gpu.parent), "0000:85:03.0");
  EXPECT_EQ(shown(gpu.numa_node), "1");
  EXPECT_EQ(shown(gpu.root_complex), "-");
  EXPECT_TRUE(reading.says("share a switch or a root complex: 0000:8a:00.0 and 0000:8c:00.0"));
}

TEST(PciTree, WithoutAnyBridgeThereIsNoTree) {
  const auto reading = List().add("0302", "8a:00.0").add("0200", "8b:00.0").place();
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 8a:00.0 8b:00.0");
}

TEST(PciTree, VirtualFunctionsAndOtherDevicesAreLeftOut) {
  const auto reading = List()
                           .add("0604", "00:01.0", "", 0)
                           .add("0200", "01:00.0", "00:01.0")
                           .virtual_function("01:00.2", "00:01.0")
                           .add("0403", "01:00.1", "00:01.0")
                           .place();
  EXPECT_EQ(tree_of(reading.host()), "0: 01:00.0; unplaced: ");
  EXPECT_TRUE(reading.says("not separate cards: 0000:01:00.2"));
  EXPECT_TRUE(reading.says("1 PCI functions are omitted"));
}

TEST(PciTree, BridgesInACircleAreCut) {
  const auto reading = List()
                           .add("0604", "10:00.0", "12:00.0")
                           .add("0604", "11:00.0", "10:00.0")
                           .add("0604", "12:00.0", "11:00.0")
                           .add("0302", "13:00.0", "12:00.0")
                           .place();
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"1:1 W531"});
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 10:00.0[12:00.0[13:00.0]]");
}

TEST(PciTree, ABridgeOnItsOwnBusIsNone) {
  const auto reading =
      List().add("0604", "00:01.0", "00:01.0", 0).add("0302", "01:00.0", "00:01.0").place();
  EXPECT_EQ(tree_of(reading.host()), "0: 01:00.0; unplaced: ");
}

TEST(PciTree, ContradictionsAreWarnings) {
  const auto reading = List()
                           .add("0604", "00:01.0")
                           .add("0604", "01:00.0", "00:01.0", 0)
                           .add("0302", "02:00.0", "01:00.0", 1)
                           .add("0302", "02:00.0", "01:00.0", 1)
                           .add("0604", "00:02.0")
                           .add("0302", "03:00.0", "00:02.0", 1)
                           .place();
  EXPECT_EQ(reading.codes(), (std::vector<std::string>{"1:1 W531", "1:1 W532", "1:1 W532"}));
  EXPECT_TRUE(reading.says("0000:02:00.0 is listed twice"));
  EXPECT_TRUE(reading.says("0000:01:00.0 is in NUMA node 0, and 0000:02:00.0 below it in 1"));
  EXPECT_TRUE(reading.says("root bus 0000:00 leads to devices in NUMA nodes 0 and 1"));
}

TEST(PciTree, AListBeyondAllHostsIsRefused) {
  List list;
  for (int i = 0; i < 4100; ++i) {
    list.add("0200", fmt::format("{:02x}:{:02x}.{}", 1 + i / 256, (i % 256) / 8, i % 8));
  }
  const auto reading = list.place();
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"1:1 E533"});
}

TEST(PciTree, AChainOfTenThousandBridgesIsReadInNoTime) {
  List list;
  list.add("0604", "00:00.0");
  std::string above = "00:00.0";
  for (int i = 1; i < 8000; ++i) {
    const std::string id = fmt::format("{:02x}:{:02x}.{}", i % 255 + 1, i / 255, 0);
    list.add("0604", id, above);
    above = id;
  }
  list.add("0302", "ff:1f.7", above);
  EXPECT_TRUE(list.place().ok);
}

}  // namespace pci_tree_test
}  // namespace vgsim::vsphere::import
