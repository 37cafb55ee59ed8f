#include "import_fixture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "topology/device_builder.hpp"
#include "topology/graph/paths.hpp"

namespace vgsim::topology::testing {
namespace {

using namespace vgsim::literals;

GpuModel gpu(const char* id, const char* pci, std::int64_t capability, std::int64_t pcie,
             const char* nvlink, std::int64_t links) {
  GpuModel model;
  model.id = id;
  model.pci_ids = {pci};
  model.compute_capability = capability;
  model.pcie_generation = pcie;
  model.pcie_lanes = 16;
  model.nvlink = nvlink;
  model.nvlink_links = links;
  return model;
}

NicModel nic(const char* id, const char* pci, BytesPerSecond rate, bool rdma, SimTime latency) {
  NicModel model;
  model.id = id;
  model.pci_ids = {pci};
  model.port_rate = {rate, "test"};
  model.pcie_generation = 5;
  model.pcie_lanes = 16;
  model.rdma = rdma;
  model.payload_share = {rdma ? 0.96 : 0.95, "test"};
  model.latency = {latency, "test"};
  return model;
}

CpuModel cpu(const char* id, std::vector<std::pair<std::int64_t, std::int64_t>> cpuids) {
  CpuModel model;
  model.id = id;
  model.memory_bandwidth = {200_GBps, "test"};
  model.memory_share = {0.8, "test"};
  model.socket_link = "UPI";
  model.socket_links = 2;
  model.socket_link_bandwidth = {20_GBps, "test"};
  model.socket_link_share = {0.8, "test"};
  model.cpuids = std::move(cpuids);
  return model;
}

template <class Table, class Part>
void put(Table& table, Part part) {
  const std::string id = part.id;
  table[id] = std::move(part);
}

bool holds(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != text.npos; });
}

}  // namespace

Catalog small_catalog() {
  Catalog catalog;
  put(catalog.gpus, gpu("t4", "10de:1eb8", 75, 3, "", 0));
  put(catalog.gpus, gpu("a100-40", "10de:20b0", 80, 4, "nvlink3", 12));
  put(catalog.gpus, gpu("a100-80", "10de:20b2", 80, 4, "nvlink3", 12));
  put(catalog.gpus, gpu("h100", "10de:2330", 90, 5, "nvlink4", 18));
  put(catalog.gpus, gpu("h200", "10de:2335", 90, 5, "nvlink4", 18));
  put(catalog.nics, nic("plain-25g", "8086:158b", 25_Gbitps, false, 10_us));
  put(catalog.nics, nic("rdma-100g", "15b3:101b", 100_Gbitps, true, 2_us));
  put(catalog.nics, nic("rdma-200g", "15b3:101b", 200_Gbitps, true, 2_us));
  put(catalog.nics, nic("rdma-400g", "15b3:1021", 400_Gbitps, true, 1_us));
  NicModel plugin = nic("cloud-25g", "1ae0:0042", 25_Gbitps, false, 1_us);
  plugin.net = NetKind::kTcpx;
  put(catalog.nics, plugin);
  put(catalog.cpus, cpu("intel-icelake", {{6, 106}}));
  put(catalog.cpus, cpu("amd-rome", {{143, 49}}));
  put(catalog.cpus, cpu("amd-milan", {{175, 1}}));
  catalog.cpus["intel-icelake"].products = {"Platinum 83??", "Gold 63??"};
  catalog.cpus["amd-milan"].products = {"EPYC 7??3"};
  for (std::int64_t generation = 3; generation <= 5; ++generation) {
    const BytesPerSecond lane{1'000'000'000LL << (generation - 3)};
    catalog.pcie[generation] = {generation,    {lane, "test"}, {0.8, "test"}, {100_ns, "test"},
                                {0.9, "test"}, {1.5, "test"},  {1.5, "test"}, {1.5, "test"}};
  }
  for (const char* id : {"nvlink3", "nvlink4"}) {
    catalog.nvlinks[id] = {id, {25_GBps, "test"}, {0.8, "test"}, {500_ns, "test"}};
  }
  catalog.nvswitches["nvswitch2"] = {"nvswitch2", {100_ns, "test"}};
  catalog.nvswitches["nvswitch3"] = {"nvswitch3", {100_ns, "test"}};
  NvLinkLayout mesh;
  mesh.kind = NvLinkLayout::Kind::kMesh;
  mesh.links_per_pair = 4;
  catalog.boards["four"] = {"four", "a board of four", {"a100-40", "a100-80"}, 4, "", mesh};
  mesh.links_per_pair = 6;
  catalog.boards["four-ibm"] = {"four-ibm", "a board for IBM", {"a100-40"}, 4, "ibm", mesh};
  NvLinkLayout switched;
  switched.kind = NvLinkLayout::Kind::kNvSwitch;
  switched.nvswitch = "nvswitch2";
  catalog.boards["eight"] = {"eight", "a board of eight", {"a100-40", "a100-80"}, 8, "", switched};
  return catalog;
}

PathClass Imported::gpu_path(std::size_t a, std::size_t b) const {
  return HostPaths(topology, host().gpus.at(a), Travel::kAny).class_to(host().gpus.at(b));
}

PathClass Imported::nic_path(std::size_t gpu, std::size_t nic) const {
  return HostPaths(topology, host().gpus.at(gpu), Travel::kAny)
      .class_to(host().nics.at(nic).vertex);
}

const LinkResource& Imported::uplink(Vertex device) const {
  for (const Edge& edge : topology.edges_from(device)) {
    const Link& link = topology.link(edge);
    if (link.kind == LinkKind::kPcie && edge.target < device)
      return topology.resources[*link.resource];
  }
  throw std::out_of_range("no PCIe link above " + topology.node(device).name);
}

const LinkResource* Imported::nvlink(Vertex a, Vertex b) const {
  const auto edge = topology.edge(a, b);
  if (!edge || topology.link(*edge).kind != LinkKind::kNvLink) return nullptr;
  return &topology.resources[*topology.link(*edge).resource];
}

std::size_t Imported::count(NodeKind kind) const {
  std::size_t result = 0;
  for (const Node& node : topology.nodes()) result += node.kind == kind ? 1U : 0U;
  return result;
}

bool Imported::assumes(const std::string& part) const { return holds(host().assumptions, part); }

std::vector<std::string> Imported::codes() const {
  std::vector<std::string> result;
  for (const auto& item : diagnostics.items()) {
    const auto [line, column] = line_column(item.location);
    result.push_back(fmt::format("{}:{} {}", line, column, item.code));
  }
  return result;
}

bool Imported::says(const std::string& part) const {
  std::vector<std::string> texts;
  for (const auto& item : diagnostics.items()) texts.push_back(item.message + " " + item.expected);
  return holds(texts, part);
}

Imported import_with(Catalog catalog, const input::SourcePtr& source, Completing completing) {
  Imported result;
  result.catalog = std::move(catalog);
  const auto system = read_nccl_xml(source);
  if (!system) {
    result.diagnostics = system.error();
    return result;
  }
  const HostCompletion completion =
      completing != nullptr ? completing(result.catalog) : HostCompletion{};
  DeviceBuilder devices(result.topology, result.catalog, "host");
  result.diagnostics.append(system->warnings);
  build_inventory_host(*system, completion, {source, "NCCL topology"}, devices, result.diagnostics);
  return result;
}

Imported import_text(const std::string& xml, Completing completing) {
  return import_with(small_catalog(), input::make_source("test.xml", xml), completing);
}

std::string system_of(const std::string& cpus) {
  return "<system version=\"1\">\n" + cpus + "\n</system>\n";
}

std::string one_cpu(const std::string& content) {
  return system_of(
      "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" "
      "modelid=\"106\">\n" +
      content + "\n</cpu>");
}

}  // namespace vgsim::topology::testing
