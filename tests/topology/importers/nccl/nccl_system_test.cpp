// Hosts from the trees that NCCL draws in its messages: the same as from NCCL's XML, in the wording
// of all releases, and errors with a line for trees that are not whole.

#include "models/calibration/logs/nccl/nccl_system.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/support/extra.hpp"
#include "tests/topology/importers/import_fixture.hpp"
#include "topology/hosts/compare_hosts.hpp"
#include "topology/machine/merge.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::testing {
namespace nccl_system_test {

using namespace inventory;
using namespace vgsim::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Systems = tl::expected<std::vector<Inventory>, input::Diagnostics>;

Systems read(const std::string& text) {
  return calibration::read_nccl_systems(input::make_source("run.log", text));
}

std::vector<Inventory> hosts_in(const std::string& text) {
  Systems hosts = read(text);
  if (!hosts) throw std::runtime_error(render(hosts.error()));
  return std::move(*hosts);
}

Inventory host_in(const std::string& text) { return hosts_in(text).at(0); }

std::string errors_of(const std::string& text) {
  const Systems hosts = read(text);
  return hosts ? std::string() : render(hosts.error());
}

/// The lines as one thread prints them.
std::string logged(const std::vector<std::string>& lines,
                   const std::string& thread = "n7:301:340 [0]") {
  std::string text;
  for (const std::string& line : lines) text += thread + " NCCL INFO " + line + "\n";
  return text;
}

const std::vector<std::string> kFirst = {"=== System : maxBw 24.0 totalBw 240.0 ==="};
const std::vector<std::string> kLast = {"=========================================="};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A whole tree.
std::string tree(const std::vector<std::string>& lines) { return logged(kFirst + lines + kLast); }

/// Two A100 with NVLinks to switches, two NICs of one card, another NIC on the second socket.
const std::vector<std::string> kTree = {
    "CPU/0-0 (1/1/2)",
    "+ PCI[24.0] - PCI/0-16000 (1000c01010140000)",
    "              + PCI[24.0] - GPU/0-18000 (0)",
    "                            + NVL[240.0] - NVS/0-0",
    "              + PCI[24.0] - NIC/0-1a000",
    "                            + NET[12.5] - NET/0-0 (0/a1b20003c4d5e6/1/12.500000)",
    "                            + NET[12.5] - NET/0-1 (0/a1b20003c4d5e6/1/12.500000)",
    "+ SYS[10.0] - CPU/0-1",
    "CPU/0-1 (1/1/2)",
    "+ PCI[24.0] - GPU/0-9c000 (1)",
    "              + NVL[240.0] - NVS/0-0",
    "+ PCI[12.0] - NIC/0-c3000",
    "              + NET[25.0] - NET/0-2 (1/b1b20003c4d5e6/1/25.000000)",
    "+ SYS[10.0] - CPU/0-0"};

const std::vector<std::string> kOtherMessages = {
    "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [2]mlx5_2:1/IB/SHARP [RO]; OOB "
    "eno1:10.1.2.3<0>",
    "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'",
    "NET/IB : GPU Direct RDMA Enabled for HCA 1 'mlx5_1'",
    "NET/IB : GPU Direct RDMA Disabled for HCA 2 'mlx5_2'",
    "ncclCommInitRank comm 0x51 rank 0 nranks 2 cudaDev 0 nvmlDev 3 busId 18000 commId 0x9 - Init "
    "START",
    "ncclCommInitRank comm 0x52 rank 1 nranks 2 cudaDev 1 nvmlDev 6 busId 9c000 commId 0x9 - Init "
    "START"};

/// The same host as NCCL dumps it.
constexpr const char* kXml = R"(<system version="1">
  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="106">
    <pci busid="0000:16:00.0" class="0x060400" vendor="0x1000" device="0xc010" subsystem_vendor="0x1014" subsystem_device="0x0" link_speed="16.0 GT/s PCIe" link_width="16">
      <pci busid="0000:18:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
        <gpu dev="3" sm="80" rank="0" gdr="1"><nvlink target="0000:05:00.0" count="6" tclass="0x068000"/><nvlink target="0000:06:00.0" count="6" tclass="0x068000"/></gpu>
      </pci>
      <pci busid="0000:1a:00.0" class="0x020000" link_speed="16.0 GT/s PCIe" link_width="16">
        <nic><net name="mlx5_0" dev="0" speed="100000" port="1" guid="0xa1b20003c4d5e6" gdr="1"/></nic>
      </pci>
      <pci busid="0000:1a:00.1" class="0x020000" link_speed="16.0 GT/s PCIe" link_width="16">
        <nic><net name="mlx5_1" dev="1" speed="100000" port="1" guid="0xa1b20003c4d5e6" gdr="1"/></nic>
      </pci>
    </pci>
  </cpu>
  <cpu numaid="1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="106">
    <pci busid="0000:9c:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
      <gpu dev="6" sm="80" rank="1" gdr="1"><nvlink target="0000:05:00.0" count="12" tclass="0x068000"/></gpu>
    </pci>
    <pci busid="0000:c3:00.0" class="0x020700" link_speed="8.0 GT/s PCIe" link_width="16">
      <nic><net name="mlx5_2" dev="2" speed="200000" port="1" guid="0xb1b20003c4d5e6" coll="1"/></nic>
    </pci>
  </cpu>
</system>)";

HostCompletion as_a100(const Catalog& catalog) {
  HostCompletion completion;
  completion.gpu = &catalog.gpus.at("a100-80");
  return completion;
}

Imported built(const Inventory& host) {
  Imported result;
  result.catalog = small_catalog();
  DeviceBuilder devices(result.topology, result.catalog, "host");
  build_inventory_host(host, as_a100(result.catalog), {input::make_source("run.log", "")}, devices,
                       result.diagnostics);
  return result;
}

/// "-" for what is unknown.
template <class Value>
std::string shown(const Maybe<Value>& stated) {
  return stated ? fmt::format("{}", stated->value) : "-";
}

/// The devices of a host, one a line: bus id, ids, link, GPU number and rank, NVLinks, ports.
std::vector<std::string> lines_of(const Inventory& host) {
  std::vector<std::string> lines;
  for_each_device(host, [&](const Device& device) {
    std::string line =
        fmt::format("{} {}:{}", device.bus_id, shown(device.vendor), shown(device.device));
    if (device.link) line += " " + to_text(device.link->value);
    if (device.gpu) {
      std::int64_t links = 0;
      for (const NvLinks& each : device.gpu->nvlinks) links += each.count.value;
      line += fmt::format(" gpu {} rank {} links {}", shown(device.gpu->index),
                          shown(device.gpu->rank), links);
    }
    for (const Port& port : device.ports) {
      line += fmt::format(
          " {}={}:{} {} Mbit/s {}", shown(port.dev), shown(port.name), shown(port.port),
          port.rate ? port.rate->value.count() / kMegabitPerSecond.count() : 0, shown(port.guid));
    }
    lines.push_back(line);
  });
  return lines;
}

TEST(NcclSystem, IsTheHostOfItsXml) {
  const Inventory logged_host = host_in(logged(kOtherMessages) + tree(kTree));
  const auto dumped = read_nccl_xml(input::make_source("topo.xml", kXml));
  ASSERT_TRUE(dumped) << render(dumped.error());
  EXPECT_EQ(lines_of(logged_host), lines_of(*dumped));
  const Imported a = built(logged_host);
  const Imported b = built(*dumped);
  ASSERT_TRUE(a.ok()) << render(a.diagnostics);
  const HostComparison compared = compare_hosts(a.topology, "log", b.topology, "xml");
  EXPECT_GT(compared.compared, 0u);
  EXPECT_THAT(compared.paths, IsEmpty());
  EXPECT_THAT(compared.speeds, IsEmpty());
  EXPECT_EQ(a.host().cpu_model, b.host().cpu_model);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(a.host().nics.at(n).name, b.host().nics.at(n).name);
    EXPECT_EQ(a.host().nics.at(n).port_rate, b.host().nics.at(n).port_rate);
    EXPECT_EQ(a.host().nics.at(n).rdma, b.host().nics.at(n).rdma);
  }
}

/// Two ports of 12.5 GB/s through one slot of 31.5 GB/s, as in NCCL's own graph.
TEST(NcclSystem, NetworksOfOneCardShareItsLink) {
  const Imported host = built(host_in(tree(kTree)));
  const auto link_of = [&](std::size_t nic) {
    const Edge up = host.topology.edges_from(host.host().nics.at(nic).vertex).front();
    return *host.topology.link(up).resource;
  };
  EXPECT_EQ(link_of(0), link_of(1));
  EXPECT_NE(link_of(0), link_of(2));
}

/// Ports with different numbers are those of one function, as of ConnectX-3.
TEST(NcclSystem, PortsWithTheirOwnNumbersAreOneFunction) {
  const Inventory host =
      host_in(tree({"CPU/0 (1/1/1)", "+ PCI[12.0] - GPU/3000 (0)", "+ PCI[6.0] - NIC/4000",
                    "             + NET[5.0] - NET/0 (4001/1/5.000000)",
                    "             + NET[5.0] - NET/1 (4001/2/5.000000)"}));
  EXPECT_THAT(lines_of(host),
              ElementsAre("0000:03:00.0 -:- Gen3 x16 gpu - rank 0 links 0",
                          "0000:04:00.0 -:- Gen3 x8 0=-:1 40000 Mbit/s 0x4001 1=-:2 40000 Mbit/s "
                          "0x4001"));
}

/// Addresses in capitals without a number of the host before 2.21; GPUs below DEV from 2.29 on.
TEST(NcclSystem, AllReleasesGiveTheSameHost) {
  const std::vector<std::string> old = {"CPU/0 (1/1/2)",
                                        "+ PCI[24.0] - PCI/9A000 (1000C0101014A123)",
                                        "              + PCI[24.0] - GPU/9C000 (0)",
                                        "                            + NVL[80.0] - GPU/9D000",
                                        "              + PCI[24.0] - GPU/9D000 (1)",
                                        "                            + NVL[80.0] - GPU/9C000"};
  const std::vector<std::string> recent = {
      "CPU/0-0 (1/1/2)",
      "+ PCI[24.0] - PCI/0-9a000 (1000c0101014a123)",
      "              + PCI[24.0] - DEV/0-9c000 (10de20b210de1463)",
      "                            + LOC[5000.0] - GPU/0-9c000",
      "                            + NVL[80.0] - DEV/0-9d000",
      "              + PCI[24.0] - DEV/0-9d000 (10de20b210de1463)",
      "                            + LOC[5000.0] - GPU/0-9d000",
      "                            + NVL[80.0] - DEV/0-9c000"};
  EXPECT_THAT(lines_of(host_in(tree(old))),
              ElementsAre("0000:9a:00.0 1000:c010 Gen4 x16",
                          "0000:9c:00.0 -:- Gen4 x16 gpu - rank 0 links 4",
                          "0000:9d:00.0 -:- Gen4 x16 gpu - rank 1 links 4"));
  EXPECT_THAT(lines_of(host_in(tree(recent))),
              ElementsAre("0000:9a:00.0 1000:c010 Gen4 x16",
                          "0000:9c:00.0 10de:20b2 Gen4 x16 gpu - rank - links 4",
                          "0000:9d:00.0 10de:20b2 Gen4 x16 gpu - rank - links 4"));
}

/// Links of a GPU at the rate of its generation: P100 18, V100 and A100 22, later 20, A40 12, H100
/// 20.6, B200 40.1 GB/s in NCCL's count.
TEST(NcclSystem, NvLinksAreCountedByTheirRate) {
  const auto links = [](const std::string& gigabytes) {
    const Inventory host = host_in(
        tree({"CPU/0 (1/2/-1)", "+ PCI[24.0] - GPU/3000 (0)",
              "              + NVL[" + gigabytes + "] - NVS/0", "+ PCI[24.0] - GPU/4000 (1)",
              "              + NVL[" + gigabytes + "] - NVS/0"}));
    const Gpu& gpu = *host.numa_nodes.at(0).devices.at(0).gpu;
    return gpu.nvlinks.empty() ? std::int64_t{-1} : gpu.nvlinks.front().count.value;
  };
  EXPECT_EQ(links("36.0"), 2) << "P100";
  EXPECT_EQ(links("132.0"), 6) << "V100, NCCL 2.8";
  EXPECT_EQ(links("264.0"), 12) << "A100, NCCL 2.11";
  EXPECT_EQ(links("240.0"), 12) << "A100";
  EXPECT_EQ(links("160.0"), 8) << "A800";
  EXPECT_EQ(links("48.0"), 4) << "A40";
  EXPECT_EQ(links("370.8"), 18) << "H100";
  EXPECT_EQ(links("164.8"), 8) << "H800";
  EXPECT_EQ(links("721.8"), 18) << "B200";
  EXPECT_EQ(links("684.0"), -1) << "unknown: a warning";
}

TEST(NcclSystem, TheCpuFollowsFromItsClassAndItsLinks) {
  const auto model = [](const std::string& numbers, const std::string& link) {
    const NumaNode node =
        host_in(tree({"CPU/0 (" + numbers + ")", "+ PCI[" + link + "] - GPU/3000 (0)"}))
            .numa_nodes.at(0);
    return fmt::format("{} {} {} {}", shown(node.arch), shown(node.vendor), shown(node.family),
                       shown(node.model));
  };
  EXPECT_EQ(model("1/1/1", "12.0"), "x86_64 GenuineIntel 6 79") << "Broadwell";
  EXPECT_EQ(model("1/1/2", "24.0"), "x86_64 GenuineIntel 6 106") << "Ice Lake";
  EXPECT_EQ(model("1/1/2", "48.0"), "x86_64 GenuineIntel 6 143") << "Sapphire Rapids";
  EXPECT_EQ(model("1/1/3", "48.0"), "x86_64 GenuineIntel 6 143");
  EXPECT_EQ(model("1/2/-1", "12.0"), "x86_64 AuthenticAMD - -") << "links do not identify it";
  EXPECT_EQ(model("1/2/-1", "24.0"), "x86_64 AuthenticAMD 175 1") << "Milan, or Rome";
  EXPECT_EQ(model("1/2/-1", "48.0"), "x86_64 AuthenticAMD 175 17") << "Genoa";
  EXPECT_EQ(model("3/-1/-1", "48.0"), "arm64 - - -");
}

/// Each rank prints the tree of its communicator; a smaller one has fewer GPUs.
TEST(NcclSystem, OfMixedRanksTheLargestWholeTreeIsRead) {
  const std::string whole = tree(kTree);
  const std::vector<std::string> small = {"CPU/0-1 (1/1/2)", "+ PCI[24.0] - GPU/0-9c000 (0)"};
  const std::string other = logged(kFirst + small + kLast, "n7:302:377 [1]");
  std::string mixed;
  for (std::size_t a = 0, b = 0; a < whole.size() || b < other.size();) {
    for (const auto& [text, at] : {std::pair{&whole, &a}, std::pair{&other, &b}}) {
      if (*at >= text->size()) continue;
      const std::size_t end = text->find('\n', *at) + 1;
      mixed += text->substr(*at, end - *at);
      *at = end;
    }
  }
  EXPECT_EQ(lines_of(host_in(mixed)), lines_of(host_in(whole)));
  const std::string cut = whole.substr(0, whole.size() / 2);
  EXPECT_EQ(lines_of(host_in(cut + other)), lines_of(host_in(other)))
      << "the rank with the truncated tree is ignored";
}

TEST(NcclSystem, EachHostHasItsName) {
  const std::string log = logged(kFirst + kTree + kLast, "a1:5:9 [0]") +
                          logged(kFirst + kTree + kLast, "b2:6:8 [0] initTransportsRank, 20");
  const auto hosts = hosts_in(log);
  ASSERT_THAT(hosts, SizeIs(2));
  EXPECT_EQ(shown(hosts[0].name), "a1");
  EXPECT_EQ(shown(hosts[1].name), "b2");
  for (const char* prefix : {"", "NCCL INFO "}) {
    std::string bare;
    for (const std::string& line : kFirst + kTree + kLast) bare += prefix + line + "\n";
    const Inventory host = host_in(bare);
    EXPECT_FALSE(host.name) << "without the threads' names";
    EXPECT_EQ(lines_of(host), lines_of(hosts[0]));
  }
}

/// With multi-node NVLink the tree of each rank has all hosts of the rack.
TEST(NcclSystem, ATreeOfSeveralHostsIsDivided) {
  const auto hosts = hosts_in(tree(
      {"CPU/0-0 (3/-1/-1)", "+ PCI[24.0] - GPU/0-9000 (0)", "              + C2C[447.1] - CPU/0-0",
       "              + NVL[721.8] - NVS/0-0", "CPU/1-0 (3/-1/-1)", "+ PCI[24.0] - GPU/1-9000 (1)",
       "              + NVL[721.8] - NVS/0-0"}));
  ASSERT_THAT(hosts, SizeIs(2));
  for (const Inventory& host : hosts) {
    EXPECT_FALSE(host.name);
    EXPECT_THAT(lines_of(host), SizeIs(1));
  }
  EXPECT_NE(shown(hosts[0].numa_nodes.at(0).host_hash), shown(hosts[1].numa_nodes.at(0).host_hash));
  EXPECT_THAT(hosts[0].numa_nodes.at(0).devices.at(0).gpu->c2c, SizeIs(1));
}

/// In a virtual machine: a bridge at 2.5 GT/s that is emulated, an unknown NUMA node, a NIC without
/// a PCI address.
TEST(NcclSystem, AVirtualMachineIsReadAsItIs) {
  const Inventory host = host_in(tree({"CPU/FFFFFFFFFFFFFFFF (1/2/-1)", "+ PCI[5000.0] - NIC/0",
                                       "                + NET[1.2] - NET/0 (0/0/1.250000)",
                                       "+ PCI[0.2] - PCI/65000 (104c823200000000)",
                                       "             + PCI[48.0] - GPU/68000 (0)"}));
  const NumaNode& node = host.numa_nodes.at(0);
  EXPECT_FALSE(node.id);
  ASSERT_THAT(node.without_pcie, SizeIs(1));
  EXPECT_EQ(node.without_pcie[0].ports.at(0).rate->value, 10_Gbitps);
  EXPECT_FALSE(node.without_pcie[0].ports.at(0).guid);
  EXPECT_EQ(to_text(node.devices.at(0).link->value), "Gen1 x1");
  EXPECT_EQ(to_text(node.devices.at(0).below.at(0).link->value), "Gen5 x16");
}

TEST(NcclSystem, FactsOfOtherDumpsAreAdded) {
  Inventory listed;
  Device& gpu = listed.unplaced.emplace_back();
  gpu.kind = DeviceKind::kGpu;
  gpu.bus_id = "0000:9c:00.0";
  gpu.name = {"NVIDIA A100-SXM4-80GB", "smi.txt"};
  const auto merged = merge({host_in(tree(kTree)), listed});
  ASSERT_TRUE(merged) << render(merged.error());
  EXPECT_EQ(shown(merged->numa_nodes.at(1).devices.at(0).name), "NVIDIA A100-SXM4-80GB");
  EXPECT_THAT(merged->unplaced, IsEmpty());
}

TEST(NcclSystem, ATruncatedTreeIsAnErrorAtItsLastLine) {
  const std::string text = logged(kFirst + std::vector(kTree.begin(), kTree.begin() + 3));
  EXPECT_THAT(errors_of(text), HasSubstr("run.log:4:"));
  EXPECT_THAT(errors_of(text), HasSubstr("E532: the file ends within NCCL's system tree"));
  EXPECT_THAT(errors_of("plain text"), HasSubstr("E532"));
}

TEST(NcclSystem, ABrokenLineIsAnErrorAtThatLine) {
  const auto with = [](std::size_t line, const std::string& text) {
    std::vector<std::string> lines = kTree;
    lines.at(line) = text;
    return errors_of(tree(lines));
  };
  EXPECT_THAT(with(2, "              + PCI[24.0] - GP"), HasSubstr("run.log:4:"));
  EXPECT_THAT(with(2, "              + PCI[24.0] - GP"), HasSubstr("E534: a truncated or mixed"));
  EXPECT_THAT(with(2, "              + PCI[inf] - GPU/0-18000 (0)"), HasSubstr("E534"));
  EXPECT_THAT(with(2, "+ PCI[24.0] - GPU/0-18000 (0"), HasSubstr("E534"));
  EXPECT_THAT(with(3, "+ NVL[240.0] - NVS/0-0"), HasSubstr("run.log:5:"));
  EXPECT_THAT(with(5, "              + NET[12.5] - NET/0-0 (0/1/1/12.500000)"),
              HasSubstr("run.log:7:"));
  EXPECT_THAT(with(3, "     + NVL[240.0] - NVS/0-0"), HasSubstr("its blanks or the lines above"));
}

/// As pages show a log that was not quoted as code.
TEST(NcclSystem, ATreeWithoutBlanksIsAnError) {
  const std::vector<std::string> flat = {
      "CPU/0 (1/1/2)", "+ PCI[24.0] - PCI/16000 (1000c01010140000)", "+ PCI[24.0] - GPU/18000 (0)",
      "+ PCI[24.0] - GPU/19000 (1)"};
  EXPECT_THAT(errors_of(tree(flat)), HasSubstr("the blanks at the beginning of its lines"));
}

TEST(NcclSystem, MissingLinesAreAnError) {
  const std::vector<std::string> half(kTree.begin(), kTree.begin() + 8);
  EXPECT_THAT(errors_of(tree(half)), HasSubstr("run.log:9:"));
  EXPECT_THAT(errors_of(tree(half)), HasSubstr("a CPU that NCCL's system tree does not have"));
  EXPECT_THAT(errors_of(tree({"CPU/0 (1/1/2)", "+ PCI[24.0] - GPU/3000 (0)",
                              "              + NVL[80.0] - GPU/4000"})),
              HasSubstr("a GPU that NCCL's system tree does not have"));
  EXPECT_THAT(errors_of(tree({"CPU/0 (1/1/2)"})), HasSubstr("has no GPU"));
}

TEST(NcclSystem, ATreeBeyondAnyMachineIsAnError) {
  std::vector<std::string> lines = {"CPU/0 (1/1/2)"};
  std::string blanks;
  for (int level = 0; level < 40; ++level) {
    lines.push_back(blanks + fmt::format("+ PCI[24.0] - PCI/{:x}", 0x1000 * (level + 1)));
    blanks += std::string(std::string_view("+ PCI[24.0] - ").size(), ' ');
  }
  EXPECT_THAT(errors_of(tree(lines)), HasSubstr("deeper than any real one"));
  std::vector<std::string> many = {"CPU/0 (1/1/2)"};
  for (int gpu = 1; gpu < 4200; ++gpu) {
    many.push_back(fmt::format("+ PCI[24.0] - GPU/{:x} ({})", 0x1000 * gpu, gpu));
  }
  EXPECT_THAT(errors_of(tree(many)), HasSubstr("E533"));
}

TEST(NcclSystem, GpusOfAmdAndSplitGpusAreRefused) {
  const std::string amd =
      errors_of(tree({"CPU/0-0 (1/2/-1)", "+ PCI[24.0] - GPU/0-5000 (0)",
                      "              + XGMI[48.0] - GPU/0-7000", "+ PCI[24.0] - GPU/0-7000 (1)",
                      "              + XGMI[48.0] - GPU/0-5000"}));
  EXPECT_THAT(amd, HasSubstr("E506: AMD GPUs are not supported, NVIDIA GPUs only"));
  EXPECT_THAT(amd, HasSubstr("1 error"));
  EXPECT_THAT(errors_of(tree({"CPU/0-0 (3/-1/-1)", "+ PCI[12.0] - DEV/0-5000 (10de304110de221a)",
                              "              + LOC[5000.0] - GPU/0-5000",
                              "              + LOC[2618.0] - DEV/0-5003"})),
              HasSubstr("E510"));
}

using ExtraNcclSystem = test::NeedsExtraFiles;

/// A job on two hosts, each with two GPUs and two NICs at 25 Gbit/s; each of four ranks prints a
/// tree.
TEST_F(ExtraNcclSystem, ARealLogGivesItsHosts) {
  std::ifstream file(test::extra_files() / "logs" / "nccl-log" /
                     "ssbandjl-run_with_mpi_2node_4gpu_trace_log.log");
  const auto hosts = hosts_in({std::istreambuf_iterator<char>(file), {}});
  ASSERT_THAT(hosts, SizeIs(2));
  for (const Inventory& host : hosts) {
    std::size_t gpus = 0;
    std::size_t nics = 0;
    for_each_device(host, [&](const Device& device) {
      gpus += device.kind == DeviceKind::kGpu;
      if (device.kind != DeviceKind::kNic) return;
      ++nics;
      EXPECT_EQ(device.ports.at(0).rate->value, 25_Gbitps);
      EXPECT_EQ(to_text(device.link->value), "Gen3 x8");
    });
    EXPECT_EQ(gpus, 2u);
    EXPECT_EQ(nics, 2u);
  }
}

}  // namespace nccl_system_test
}  // namespace vgsim::topology::testing
