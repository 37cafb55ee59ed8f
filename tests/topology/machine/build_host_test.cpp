#include "topology/machine/build_host.hpp"

#include <gmock/gmock.h>

#include "tests/topology/importers/import_fixture.hpp"
#include "tests/topology/machine/small_hosts.hpp"
#include "topology/graph/paths.hpp"
#include "topology/hosts/compare_hosts.hpp"
#include "topology/machine/device_names.hpp"

namespace vgsim::topology::inventory {
namespace build_host_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Built {
  Catalog catalog = topology::testing::small_catalog();
  Topology topology;
  input::Diagnostics diagnostics;

  explicit Built(const Inventory& host) {
    DeviceBuilder devices(topology, catalog, "h");
    HostCompletion completion;
    completion.gpu = &catalog.gpus.at("a100-80");
    build_inventory_host(host, completion, {input::make_source("host.json", "")}, devices,
                         diagnostics);
  }
};

TEST(InventoryHost, IsTheHostOfItsDump) {
  const Built built(two_socket_host());
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  const auto imported =
      topology::testing::import_text(two_socket_dump(), [](const Catalog& catalog) {
        HostCompletion completion;
        completion.gpu = &catalog.gpus.at("a100-80");
        return completion;
      });
  const auto compared = compare_hosts(built.topology, "a", imported.topology, "b");
  EXPECT_GT(compared.compared, 0u);
  EXPECT_THAT(compared.paths, IsEmpty());
  EXPECT_THAT(compared.speeds, IsEmpty());
}

TEST(InventoryHost, DevicesHaveTheNamesOfTheFile) {
  const Inventory host = two_socket_host();
  const Built built(host);
  std::vector<std::string> names;
  for (const auto& [device, name] : built_names(host)) names.push_back("h/" + name);
  const Host& made = built.topology.hosts.front();
  std::vector<std::string> in_host;
  for (const Vertex gpu : made.gpus) in_host.push_back(built.topology.node(gpu).name);
  for (const HostNic& nic : made.nics) in_host.push_back("h/" + nic.name);
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(in_host));
}

TEST(InventoryHost, StatedRootComplexesAndSocketsAreKept) {
  Inventory host = two_socket_host();
  Device second = host.numa_nodes[0].devices[0];
  second.bus_id = "0000:20:00.0";
  second.below.clear();
  Device nic = host.numa_nodes[0].devices[0].below[2];
  nic.bus_id = "0000:21:00.0";
  nic.ports[0].name->value = "mlx5_9";
  second.below = {nic};
  host.numa_nodes[0].devices[0].root_complex = {"0000:10", "lspci.txt"};
  second.root_complex = {"0000:10", "lspci.txt"};
  host.numa_nodes[0].devices.push_back(second);
  for (NumaNode& node : host.numa_nodes) node.package = {0, "lscpu.txt"};
  const Built built(host);
  const Host& made = built.topology.hosts.front();
  EXPECT_EQ(made.packages, 1u);
  for (const HostNic& made_nic : made.nics) {
    EXPECT_EQ(shares_root_complex(built.topology, made.gpus[0], made_nic.vertex),
              made_nic.name != "mlx5_1");
  }
}

/// vSphere states only the name of a CPU.
TEST(InventoryHost, CpusAreIdentifiedByTheirProductNumber) {
  const auto model_of = [](const std::string& name) {
    Inventory host = two_socket_host();
    for (NumaNode& node : host.numa_nodes) {
      node.cpu_name = Stated<std::string>{name, "vim.json"};
      node.family.reset();
      node.model.reset();
    }
    return Built(host).topology.hosts.front().cpu_model;
  };
  EXPECT_EQ(model_of("Intel(R) Xeon(R) Platinum 8368 CPU @ 2.40GHz"), "intel-icelake");
  EXPECT_EQ(model_of("Intel(R) Xeon(R) Gold 6338N CPU @ 2.20GHz"), "intel-icelake");
  EXPECT_EQ(model_of("AMD EPYC 7763 64-Core Processor"), "amd-milan");
}

TEST(InventoryHost, NumaNodesHaveTheStatedCoresAndMemory) {
  Inventory host = two_socket_host();
  for (NumaNode& node : host.numa_nodes) {
    node.cores.reset();
    node.memory.reset();
  }
  EXPECT_FALSE(Built(host).topology.hosts.front().numa_cores);
  host.cores = Stated<std::int64_t>{76, "vim.json"};
  host.memory = Stated<Bytes>{Bytes{std::int64_t{1} << 40}, "vim.json"};
  const Built built(host);
  EXPECT_EQ(built.topology.hosts.front().numa_cores, 38);
  EXPECT_EQ(built.topology.hosts.front().numa_memory, Bytes{std::int64_t{1} << 39});
  host.numa_nodes[0].cores = Stated<std::int64_t>{36, "lscpu"};
  host.numa_nodes[1].cores = Stated<std::int64_t>{40, "lscpu"};
  EXPECT_EQ(Built(host).topology.hosts.front().numa_cores, 36) << "the least of them";
  host.cores.reset();
  host.memory.reset();
  host.numa_nodes[0].memory = Stated<Bytes>{Bytes{std::int64_t{1} << 38}, "numactl"};
  host.numa_nodes[1].memory = Stated<Bytes>{Bytes{std::int64_t{1} << 39}, "numactl"};
  EXPECT_EQ(Built(host).topology.hosts.front().all_cores, 76) << "all of them";
  EXPECT_EQ(Built(host).topology.hosts.front().all_memory, Bytes{std::int64_t{3} << 38});
}

TEST(InventoryHost, GpusOfAmdAreRefused) {
  Inventory host = two_socket_host();
  for (Device& device : host.numa_nodes[0].devices[0].below) {
    if (device.gpu) device.gpu->gcn = {"gfx942", "rccl.xml"};
  }
  const std::string text = input::render(Built(host).diagnostics);
  EXPECT_THAT(text, HasSubstr("AMD GPUs are not supported, NVIDIA GPUs only"));
  EXPECT_THAT(text, HasSubstr("1 error")) << "one for all GPUs";
}

TEST(InventoryHost, AStatedModelIsUsedAndAWrongOneReported) {
  Inventory host = two_socket_host();
  Device& gpu = host.numa_nodes[0].devices[0].below[0];
  gpu.model = {"h100", "host.json"};
  EXPECT_EQ(Built(host).topology.node(Built(host).topology.hosts[0].gpus[0]).model, "h100");
  gpu.model->value = "h1000";
  EXPECT_THAT(input::render(Built(host).diagnostics), HasSubstr("did you mean \"h100\""));
}

}  // namespace build_host_test
}  // namespace vgsim::topology::inventory
