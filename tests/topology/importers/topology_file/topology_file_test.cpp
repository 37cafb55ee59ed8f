#include "topology/importers/topology_file/topology_file.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim::topology::inventory {
namespace topology_file_test {

using namespace vgsim::literals;

using nlohmann::json;
using ::testing::HasSubstr;

tl::expected<Inventory, input::Diagnostics> read(const std::string& text) {
  return read_topology_file(input::make_source("host.json", text));
}

std::string errors_of(const std::string& text) {
  const auto host = read(text);
  return host ? "" : input::render(host.error());
}

/// A host with every kind of value, from two files.
Inventory full_host() {
  Inventory host = two_socket_host();
  host.name = {"esx01", "host.json"};
  host.memory = {Bytes{1LL << 40}, "host.json"};
  host.numa_nodes[0].package = {0, "lscpu.txt"};
  host.numa_nodes[0].cpu_list = {"0-15", "topo.txt"};
  Device& gpu = host.numa_nodes[0].devices[0].below[0];
  gpu.name = {"NVIDIA A100-SXM4-40GB", "q.xml"};
  gpu.link_now = {PcieWidth{1, 16}, "q.xml"};
  gpu.numa_node = {0, "topo.txt"};
  gpu.gpu->memory = {Bytes{42'505'076'736}, "q.xml"};
  gpu.gpu->vgpus = {{"grid_a100-40c", "vm1"}};
  gpu.gpu->nvlinks[0].rate = {26'562_MBps, "nvlink.txt"};
  Device storage;
  storage.kind = DeviceKind::kStorage;
  storage.bus_id = "0000:e1:00.0";
  host.unplaced.push_back(storage);
  host.matrix = PathMatrix{{"GPU0", "GPU1"}, {{"X", "NV12"}, {"NV12", "X"}}, {"0-15", ""},
                           {"0", ""},        {{"NIC0", "mlx5_0"}},           "topo.txt"};
  host.graphs = {{0, 4, 0, 20, 12, 0.5, "NVL", "PIX", true, {{{true, 0}, {false, 1}, {false, 0}}}}};
  host.device_groups = {"Nvidia:2@grid_a100-40c%NVLink"};
  host.profiles = {"grid_a100-40c"};
  host.assumed = {"something"};
  host.skipped = {"something else"};
  return host;
}

TEST(TopologyFile, ReadingWhatWasWrittenAndWritingItAgainChangesNothing) {
  const std::string text = to_topology_text(full_host());
  const auto host = read(text);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(to_topology_text(*host), text);
}

TEST(TopologyFile, WritesSmallLatenciesAsItReadsThem) {
  Inventory host = two_socket_host();
  for (const SimTime latency : {43_ps, 500_ns, 75_us, SimTime{}}) {
    host.numa_nodes[0].devices[0].below[2].ports[0].latency->value = latency;
    const auto again = read(to_topology_text(host));
    ASSERT_TRUE(again) << input::render(again.error());
    EXPECT_EQ(again->numa_nodes[0].devices[0].below[2].ports[0].latency->value, latency);
  }
}

TEST(TopologyFile, KeepsTheSourceOfEachValue) {
  const Inventory host = read(to_topology_text(full_host())).value();
  const Device& gpu = host.numa_nodes[0].devices[0].below[0];
  EXPECT_EQ(gpu.name->source, "q.xml");
  EXPECT_EQ(gpu.pci_class->source, "host.xml");
  EXPECT_EQ(gpu.numa_node->source, "topo.txt");
  EXPECT_EQ(gpu.gpu->nvlinks[0].rate->source, "nvlink.txt");
  EXPECT_EQ(gpu.gpu->nvlinks[0].count.source, "host.xml");
  EXPECT_EQ(host.numa_nodes[0].package->source, "lscpu.txt");
  EXPECT_EQ(host.matrix->source, "topo.txt");
}

TEST(TopologyFile, MarksWhatTheFilesDoNotTell) {
  const auto file = json::parse(to_topology_text(two_socket_host()));
  EXPECT_EQ(file["devices"][1]["not_told"], json::array({"memory"}));
  EXPECT_EQ(file["numa_nodes"][0]["not_told"], json::array({"socket", "memory"}));
}

TEST(TopologyFile, SaysOnceWhereEverythingIsFrom) {
  const auto file = json::parse(to_topology_text(two_socket_host()));
  EXPECT_EQ(file["from"], "host.xml");
  for (const auto& device : file["devices"]) EXPECT_FALSE(device.contains("from"));
}

TEST(TopologyFile, OtherFormatsAreRefused) {
  EXPECT_THAT(errors_of("{\"format\": \"vgsim.topology/2\", \"numa_nodes\": [], \"devices\": []}"),
              HasSubstr("vgsim.topology/1"));
  EXPECT_THAT(errors_of("[]"), HasSubstr("object"));
  EXPECT_THAT(errors_of("{"), HasSubstr("E10"));
}

std::string with_devices(const std::string& devices) {
  return "{\"format\": \"vgsim.topology/1\", \"numa_nodes\": [{\"name\": \"numa0\"}], \"devices\": "
         "[" +
         devices + "]}";
}

TEST(TopologyFile, ADeviceUnderSomethingUnknownIsAnErrorWithTheNearestName) {
  EXPECT_THAT(
      errors_of(with_devices(
          R"({"name": "gpu0", "kind": "gpu", "under": "numa1", "bus_id": "0000:01:00.0"})")),
      ::testing::AllOf(HasSubstr("\"numa1\""), HasSubstr("numa0"), HasSubstr("/devices/0/under")));
}

TEST(TopologyFile, DevicesUnderEachOtherAreAnError) {
  EXPECT_THAT(errors_of(with_devices(R"({"name": "a", "kind": "pcie-switch", "under": "b"},
                                        {"name": "b", "kind": "pcie-switch", "under": "a"})")),
              HasSubstr("below itself"));
}

TEST(TopologyFile, NamesAreTheirOwn) {
  EXPECT_THAT(errors_of(with_devices(R"({"name": "numa0", "kind": "nic"})")), HasSubstr("taken"));
}

TEST(TopologyFile, ABusIdOrALinkThatCannotBeIsAnError) {
  const std::string found = errors_of(with_devices(
      R"({"name": "a", "kind": "nic", "bus_id": "1:2", "link": "Gen9 x16"},
         {"name": "b", "kind": "router"})"));
  EXPECT_THAT(found, HasSubstr("/devices/0/bus_id"));
  EXPECT_THAT(found, HasSubstr("/devices/0/link"));
  EXPECT_THAT(found, HasSubstr("/devices/1/kind"));
}

TEST(TopologyFile, AChainDeeperThanAnyMachineIsAnError) {
  std::string devices = R"({"name": "d0", "kind": "pcie-switch", "under": "numa0"})";
  for (int d = 1; d < 2000; ++d) {
    devices +=
        fmt::format(R"(,{{"name": "d{}", "kind": "pcie-switch", "under": "d{}"}})", d, d - 1);
  }
  EXPECT_THAT(errors_of(with_devices(devices)), HasSubstr("one under another"));
}

}  // namespace topology_file_test
}  // namespace vgsim::topology::inventory
