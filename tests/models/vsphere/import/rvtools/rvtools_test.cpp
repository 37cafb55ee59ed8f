#include "models/vsphere/import/rvtools/rvtools.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/import/rvtools/rvtools_columns.hpp"
#include "models/vsphere/import/table/csv.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace rvtools_test {

using testing::Reading;
using testing::shown;

Reading read(const std::string& text) { return testing::read_text(read_rvtools, text); }

std::vector<std::vector<std::string>> rows(const std::string& text) {
  FileNotes notes(input::make_source("file", text));
  CsvReader csv(notes, csv_separator(text));
  std::vector<std::vector<std::string>> result;
  CsvRow row;
  while (csv.next(row)) {
    auto& cells = result.emplace_back();
    for (const CsvCell& cell : row) cells.push_back(cell.text);
  }
  if (notes.failed()) result.push_back({"error"});
  return result;
}

using Rows = std::vector<std::vector<std::string>>;

TEST(Csv, CellsInQuotesHoldAnything) {
  EXPECT_EQ(rows("a,\"b,\"\"c\"\"\nd\",e\r\n\r\n1,,3\n,\n"),
            (Rows{{"a", "b,\"c\"\nd", "e"}, {"1", "", "3"}, {"", ""}}));
  EXPECT_EQ(rows(""), Rows{});
  EXPECT_EQ(rows("a,\"b\"c"), (Rows{{"a", "bc"}}));
}

TEST(Csv, TheSeparatorIsTheMostFrequent) {
  EXPECT_EQ(rows("a;b,c;d\n"), (Rows{{"a", "b,c", "d"}}));
  EXPECT_EQ(rows("a\tb\n"), (Rows{{"a", "b"}}));
  EXPECT_EQ(rows("\"a;a;a;a\",b\n"), (Rows{{"a;a;a;a", "b"}}));
  EXPECT_EQ(rows("sep=;\na,b;c\n"), (Rows{{"a,b", "c"}}));
}

TEST(Csv, AQuoteThatIsNeverClosedIsAnError) {
  EXPECT_EQ(rows("a,\"b\n"), (Rows{{"error"}}));
  EXPECT_EQ(rows(std::string(5000, ',')), (Rows{{"error"}}));
}

TEST(RvTools, NumbersAreOfAnyLocale) {
  for (const char* text : {"1048576", "1,048,576", "1.048.576", "1 048 576", "1'048'576",
                           "1\xC2\xA0"
                           "048\xC2\xA0"
                           "576",
                           "1048576.00", "1.048.576,0"}) {
    EXPECT_EQ(locale_number(text), 1048576) << text;
  }
  for (const char* text : {"", "x", "1,04", "1,5", "1,0485", ",5", "5,", "1..2", "-4", "1e6"}) {
    EXPECT_EQ(locale_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(locale_number("131,072"), 131072);
}

TEST(RvTools, HostsAreRows) {
  const auto reading = read(
      "Host,Datacenter,CPU Model,Speed,# CPU,Cores per CPU,# Cores,# Memory,ESX Version,Vendor,"
      "Model\n"
      "esx01,dc,Xeon 8480C,2000,2,56,112,\"2,097,152\",VMware ESXi 8.0.3 build-24022510,Dell Inc.,"
      "XE9680\n"
      "esx02,dc,Xeon 8480C,2000,2,56,112,2097152\n");
  ASSERT_TRUE(reading.ok) << reading.says("");
  ASSERT_EQ(reading.facts.hosts.size(), 2U);
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.name), "esx01");
  EXPECT_EQ(shown(host.vendor), "Dell Inc.");
  EXPECT_EQ(shown(host.model), "XE9680");
  EXPECT_EQ(shown(host.cpu_name), "Xeon 8480C");
  EXPECT_EQ(shown(host.packages), "2");
  EXPECT_EQ(shown(host.cores), "112");
  EXPECT_EQ(shown(host.memory), "2199023255552");
  EXPECT_EQ(shown(host.hypervisor), "VMware ESXi 8.0.3 build-24022510");
  EXPECT_EQ(shown(reading.facts.hosts[1].model), "-");
  EXPECT_TRUE(reading.says("no tab of PCI devices"));
}

TEST(RvTools, FullExportsHaveOtherHeadings) {
  const auto reading = read(
      "vHostName;vHostCluster;vHostCpuModel;vHostNumCpu;vHostNumCpuCores;vHostMemorySize;"
      "vHostFullName\n"
      "esx01;c;EPYC;2;128;1099511627776;VMware ESXi 7.0.3 build-1\n");
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(shown(reading.host().packages), "2");
  EXPECT_EQ(shown(reading.host().cores), "128");
  EXPECT_EQ(shown(reading.host().memory), "1099511627776?") << "no host has an exbibyte";
  EXPECT_EQ(shown(reading.host().hypervisor), "VMware ESXi 7.0.3 build-1");
}

TEST(RvTools, VmsAreRowsAndTemplatesAreNot) {
  const std::string text =
      "VM,Powerstate,Template,SRM Placeholder,CPUs,Memory,Latency Sensitivity,Network #1,Firmware,"
      "HW version,Host,OS according to the configuration file,OS according to the VMware Tools\r\n"
      "train,poweredOn,False,False,48,524288,high,VM Network,efi,20,esx01,Ubuntu Linux "
      "(64-bit),\r\n"
      "base,poweredOff,True,False,2,4096,normal,,bios,vmx-19,esx01,,\r\n"
      "win,poweredOff,False,False,4,8192,normal,,bios,vmx-19,esx02,,Windows\r\n";
  const auto reading = read(testing::utf16(text));
  ASSERT_TRUE(reading.ok) << reading.says("");
  ASSERT_EQ(reading.facts.vms.size(), 2U);
  const VmFacts& vm = reading.vm();
  EXPECT_EQ(shown(vm.name), "train");
  EXPECT_EQ(shown(vm.host), "esx01");
  EXPECT_EQ(shown(vm.powered_on), "true");
  EXPECT_EQ(shown(vm.vcpus), "48");
  EXPECT_EQ(shown(vm.memory), "549755813888");
  EXPECT_EQ(shown(vm.latency_sensitivity), "high");
  EXPECT_EQ(shown(vm.firmware), "efi");
  EXPECT_EQ(shown(vm.hardware_version), "20");
  EXPECT_EQ(shown(vm.guest_os), "Ubuntu Linux (64-bit)");
  EXPECT_EQ(shown(vm.memory_reserved), "-");
  EXPECT_EQ(shown(reading.facts.vms[1].hardware_version), "19");
  EXPECT_EQ(shown(reading.facts.vms[1].guest_os), "Windows");
  EXPECT_TRUE(reading.says("templates and placeholders are omitted, since they never run: base"));
  EXPECT_TRUE(is_rvtools(testing::utf16(text)));
}

TEST(RvTools, AdaptersAreGatheredByVm) {
  const auto reading = read(
      "VM,Powerstate,Template,NIC label,Adapter,Network,Direct Path IO,Host,VM UUID\n"
      "train,poweredOn,False,Network adapter 1,Vmxnet3,VM Network,False,esx01,u1\n"
      "other,poweredOff,False,Network adapter 1,VirtualE1000e,net,False,esx01,u2\n"
      "train,poweredOn,False,SR-IOV network adapter "
      "1,VirtualSriovEthernetCard,rdma,False,esx01,u1\n"
      "train,poweredOn,False,Network adapter 1,Vmxnet3,VM Network,False,esx02,u3\n");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.facts.vms.size(), 3U);
  const VmFacts& vm = reading.vm();
  ASSERT_EQ(vm.adapters.size(), 2U);
  EXPECT_EQ(vm.adapters[0].label, "Network adapter 1");
  EXPECT_EQ(shown(vm.adapters[0].type), "vmxnet3");
  EXPECT_EQ(shown(vm.adapters[0].network), "VM Network");
  EXPECT_EQ(shown(vm.adapters[1].type), "sriov");
  EXPECT_EQ(shown(reading.facts.vms[1].adapters.at(0).type), "e1000e");
  EXPECT_EQ(shown(reading.facts.vms[2].host), "esx02") << "of the same name, but another VM";
}

TEST(RvTools, NicsOfHostsHaveAddresses) {
  const auto reading = read(
      "Host,Datacenter,Cluster,Network Device,Driver,Speed,Duplex,MAC,Switch,PCI,WakeOn\n"
      "esx01,d,c,vmnic0,nmlx5_core,100000,True,aa,vSwitch0,0000:3b:00.0,False\n"
      "esx01,d,c,vmnic1,nmlx5_core,0,False,aa,,0000:3b:00.1,False\n"
      "esx02,d,c,vmnic0,usb,0,False,aa,,Pseudo,False\n");
  ASSERT_TRUE(reading.ok) << reading.says("");
  ASSERT_EQ(reading.facts.hosts.size(), 2U);
  const auto& nic = testing::device_at(reading.host(), "0000:3b:00.0");
  EXPECT_EQ(nic.kind, testing::DeviceKind::kNic);
  EXPECT_EQ(shown(nic.driver), "nmlx5_core");
  EXPECT_EQ(shown(nic.ports.at(0).name), "vmnic0");
  EXPECT_EQ(shown(nic.ports[0].rate), "12500000000");
  EXPECT_EQ(shown(testing::device_at(reading.host(), "0000:3b:00.1").ports.at(0).rate), "-");
}

TEST(RvTools, HeadingsAloneAreAnError) {
  const auto reading = read("Host,CPU Model,# CPU,# Cores,# Memory\r\n");
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"1:1 E532"});
  EXPECT_TRUE(reading.says("no host or VM"));
}

TEST(RvTools, ValuesThatCannotBeAreErrorsAtTheirCells) {
  const auto reading = read(
      "Host,CPU Model,# CPU,# Cores,# Memory\n"
      "esx01,Xeon,two,56,1\n"
      ",Xeon,2,56,1\n"
      "esx02,Xeon,2,99999999,x\n");
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(), (std::vector<std::string>{"2:12 E534", "4:14 E534", "4:23 E534"}));
  EXPECT_EQ(read("Host,CPU Model,# CPU,# Cores,# Memory\n,a,2,2,2\nesx01\n").codes(),
            std::vector<std::string>{"2:1 W531"});
}

TEST(RvTools, OtherTablesAreRefused) {
  EXPECT_EQ(read("a,b,c\n1,2,3\n").codes(), std::vector<std::string>{"1:1 E531"});
  EXPECT_FALSE(is_rvtools("a,b,c,d,e\n"));
  EXPECT_FALSE(is_rvtools("VM,Powerstate,CPUs\n"));
  EXPECT_FALSE(is_rvtools("VM,Powerstate,Template,Size MiB,Reservation,Limit\n")) << "vMemory";
  EXPECT_FALSE(is_rvtools(""));
  EXPECT_TRUE(is_rvtools("\xEF\xBB\xBFHost;CPU Model;# CPU;# Cores;# Memory\n"));
}

}  // namespace rvtools_test
}  // namespace vgsim::vsphere::import
