#include "topology/importers/pcie_ports.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "pci_dump_fixture.hpp"

namespace vgsim::topology {
namespace pcie_ports_test {

using inventory::Device;
using inventory::DeviceKind;
using inventory::Inventory;

constexpr const char* kFile = "dump.txt";

PciFunction function(const std::string& bus_id, DeviceKind kind) {
  PciFunction made;
  made.device.bus_id = "0000:" + bus_id;
  made.device.kind = kind;
  return made;
}

PciFunction gpu(const std::string& bus_id, PcieWidth can = {5, 16}) {
  PciFunction made = function(bus_id, DeviceKind::kGpu);
  made.device.link = {can, kFile};
  return made;
}

PciFunction bridge(const std::string& bus_id, PciePort port, std::vector<PciFunction> below,
                   PcieWidth can = {5, 16}) {
  PciFunction made = function(bus_id, DeviceKind::kBridge);
  made.port = port;
  made.device.link = {can, kFile};
  made.below = std::move(below);
  return made;
}

/// A host with one NUMA node, and one root bus.
Inventory place(std::vector<PciFunction> bus) {
  Inventory host;
  FileNotes notes(pci_testing::source_of("x"));
  PcieTree tree(notes);
  tree.add(std::move(bus), notes.stated<std::string>("0000:16"),
           host.numa_nodes.emplace_back().devices);
  tree.finish();
  notes.tell(host);
  return host;
}

std::string shape(const Inventory& host) {
  return pci_testing::shape_of(host.numa_nodes.front().devices);
}

TEST(PcieTree, ARootPortStandsForItself) {
  const Inventory host = place({bridge("16:01.0", PciePort::kRoot, {gpu("17:00.0")})});
  EXPECT_EQ(shape(host), "17:00.0");
  EXPECT_EQ(pci_testing::device_at(host, "0000:17:00.0").root_complex->value, "0000:16");
}

TEST(PcieTree, ASwitchIsItsUpstreamPort) {
  for (const bool stated : {true, false}) {
    const auto port = [&](PciePort kind) { return stated ? kind : PciePort::kUnknown; };
    const Inventory host = place(
        {bridge("16:01.0", port(PciePort::kRoot),
                {bridge("17:00.0", port(PciePort::kUpstream),
                        {bridge("18:00.0", port(PciePort::kDownstream), {gpu("19:00.0")}),
                         bridge("18:01.0", port(PciePort::kDownstream), {gpu("1a:00.0")})})})});
    EXPECT_EQ(shape(host), "17:00.0(19:00.0 1a:00.0)");
  }
}

TEST(PcieTree, SwitchesBehindEachOtherStay) {
  const Inventory host = place(
      {bridge("16:01.0", PciePort::kUnknown,
              {bridge("17:00.0", PciePort::kUnknown,
                      {bridge("18:00.0", PciePort::kUnknown,
                              {bridge("19:00.0", PciePort::kUnknown,
                                      {bridge("1a:00.0", PciePort::kUnknown, {gpu("1b:00.0")})})}),
                       bridge("18:01.0", PciePort::kUnknown, {gpu("1c:00.0")})})})});
  EXPECT_EQ(shape(host), "17:00.0(19:00.0(1b:00.0) 1c:00.0)");
}

TEST(PcieTree, ADeviceMayBePartOfTheRootComplex) {
  EXPECT_EQ(shape(place({gpu("16:02.0")})), "16:02.0");
}

TEST(PcieTree, APortInTheWrongPlaceIsABridge) {
  // As virtual machines show them.
  EXPECT_EQ(shape(place({bridge("16:01.0", PciePort::kDownstream, {gpu("17:00.0")})})), "17:00.0");
  EXPECT_EQ(shape(place({bridge("16:01.0", PciePort::kUpstream, {gpu("17:00.0")})})),
            "16:01.0(17:00.0)");
  EXPECT_EQ(shape(place({bridge("16:01.0", PciePort::kRoot,
                                {bridge("17:00.0", PciePort::kRoot, {gpu("18:00.0")})})})),
            "17:00.0(18:00.0)");
}

TEST(PcieTree, OnlyWhatMattersIsKept) {
  const Inventory host = place(
      {function("16:00.0", DeviceKind::kOther),
       bridge("16:01.0", PciePort::kRoot,
              {bridge("17:00.0", PciePort::kUpstream, {function("18:00.0", DeviceKind::kOther)})}),
       gpu("16:02.0")});
  EXPECT_EQ(shape(host), "16:02.0");
  EXPECT_TRUE(pci_testing::any_has(host.skipped, "PCI functions other than GPUs"));
  EXPECT_TRUE(pci_testing::any_has(host.skipped, ": 2"));
}

TEST(PcieTree, ALinkIsAsFastAsItsSlowerEnd) {
  const Inventory host = place({bridge(
      "16:01.0", PciePort::kRoot,
      {bridge("17:00.0", PciePort::kUpstream,
              {bridge("18:00.0", PciePort::kDownstream, {gpu("19:00.0", {5, 16})}, {5, 4}),
               bridge("18:01.0", PciePort::kDownstream, {gpu("1a:00.0", {3, 16})}, {5, 16})},
              {4, 16})},
      {5, 8})});
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:17:00.0").link), "gen4 x8");
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:19:00.0").link), "gen5 x4");
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:1a:00.0").link), "gen3 x16");
}

TEST(PcieTree, ALinkThatIsNotToldStaysSo) {
  PciFunction nic = function("17:00.0", DeviceKind::kNic);
  PciFunction port = bridge("16:02.0", PciePort::kRoot, {gpu("18:00.0")});
  port.device.link.reset();
  const Inventory host = place({bridge("16:01.0", PciePort::kRoot, {nic}), port});
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:17:00.0").link), "");
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:18:00.0").link), "gen5 x16");
}

TEST(PcieTree, EmulatedPortsDoNotBoundALink) {
  PciFunction fast = gpu("17:00.0", {5, 16});
  fast.device.link_now = {{5, 16}, kFile};
  const Inventory host = place({bridge("16:01.0", PciePort::kRoot, {fast}, {1, 1})});
  EXPECT_EQ(pci_testing::words_of(pci_testing::device_at(host, "0000:17:00.0").link), "gen5 x16");
  EXPECT_TRUE(pci_testing::any_has(host.assumed, "emulated"));
}

TEST(PcieTree, ASwitchRedirectsIfAPortInUseDoes) {
  const auto with = [](bool first, bool second) {
    PciFunction one = bridge("18:00.0", PciePort::kDownstream, {gpu("19:00.0")});
    PciFunction two = bridge("18:01.0", PciePort::kDownstream, {gpu("1a:00.0")});
    PciFunction unused = bridge("18:02.0", PciePort::kDownstream, {});
    one.device.acs_redirect = {first, kFile};
    two.device.acs_redirect = {second, kFile};
    unused.device.acs_redirect = {true, kFile};
    return place({bridge("16:01.0", PciePort::kRoot,
                         {bridge("17:00.0", PciePort::kUpstream, {one, two, unused})})});
  };
  EXPECT_FALSE(pci_testing::device_at(with(false, false), "0000:17:00.0").acs_redirect->value);
  EXPECT_TRUE(pci_testing::device_at(with(true, true), "0000:17:00.0").acs_redirect->value);
  const Inventory mixed = with(false, true);
  EXPECT_TRUE(pci_testing::device_at(mixed, "0000:17:00.0").acs_redirect->value);
  EXPECT_TRUE(pci_testing::any_has(mixed.assumed, "ACS"));
}

TEST(PcieTree, ASlotIsNumberedAtItsPort) {
  PciFunction own = gpu("18:00.0");
  own.device.slot = {"9", kFile};
  PciFunction port = bridge("16:01.0", PciePort::kRoot, {gpu("17:00.0"), own});
  port.device.slot = {"28", kFile};
  const Inventory host = place({port});
  EXPECT_EQ(pci_testing::device_at(host, "0000:17:00.0").slot->value, "28");
  EXPECT_EQ(pci_testing::device_at(host, "0000:18:00.0").slot->value, "9");
}

PciFunction nic(const std::string& bus_id, bool is_virtual) {
  PciFunction made = function(bus_id, DeviceKind::kNic);
  made.device.vendor = {"15b3", kFile};
  made.is_virtual = is_virtual;
  return made;
}

TEST(PcieTree, VirtualFunctionsAreCountedOnTheirCard) {
  const Inventory host =
      place({bridge("16:01.0", PciePort::kRoot,
                    {nic("17:00.0", false), nic("17:00.2", true), nic("17:00.3", true)})});
  EXPECT_EQ(shape(host), "17:00.0");
  EXPECT_EQ(pci_testing::device_at(host, "0000:17:00.0").virtual_functions->value, 2);
}

TEST(PcieTree, VirtualFunctionsOfOneOfTwoPortsAreNotGuessed) {
  const Inventory host =
      place({bridge("16:01.0", PciePort::kRoot,
                    {nic("17:00.0", false), nic("17:00.1", false), nic("17:00.2", true)})});
  EXPECT_EQ(shape(host), "17:00.0 17:00.1");
  EXPECT_FALSE(pci_testing::device_at(host, "0000:17:00.0").virtual_functions);
  EXPECT_TRUE(pci_testing::any_has(host.skipped, "the port is unknown: 0000:17:00.2"));
}

TEST(PcieTree, AVirtualFunctionWithoutACardIsADevice) {
  const Inventory host = place({bridge("16:01.0", PciePort::kRoot, {nic("17:00.0", true)})});
  EXPECT_EQ(shape(host), "17:00.0");
}

}  // namespace pcie_ports_test
}  // namespace vgsim::topology
