#include "topology/catalog/add_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "topology/catalog/entry_reader.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {
namespace {

/// Compute capability of Blackwell, whose tensor cores scale blocks of an operand.
constexpr std::int64_t kFirstWithBlockScales = 100;

using input::as_count;
using input::as_string;
using input::find;
using input::Value;

std::vector<std::string> strings(const Value& entry, const char* name) {
  std::vector<std::string> result;
  if (const auto member = find(entry, name)) {
    for (const Value& element : find(*member, "value")->elements()) {
      result.push_back(as_string(element));
    }
  }
  return result;
}

CardSize read_card_size(const EntryReader& reader, const char* name) {
  const auto word = reader.optional<std::string>(name);
  if (!word) return CardSize::kUnknown;
  const auto& words = card_size_words();
  return static_cast<CardSize>(std::find(words.begin(), words.end(), word->value) - words.begin() +
                               1);
}

GpuModel read_gpu(const std::string& id, const Value& entry, const EntryReader& reader) {
  GpuModel gpu;
  gpu.id = id;
  gpu.name = reader.name();
  gpu.pci_ids = strings(entry, "pci_ids");
  if (const auto named = reader.optional<std::string>("driver_name")) {
    gpu.driver_name = named->value;
  }
  gpu.compute_capability = reader.required<std::int64_t>("compute_capability").value;
  gpu.validated = find(entry, "validated_by").has_value();
  if (const auto count = reader.optional<std::int64_t>("sm_count"))
    gpu.multiprocessors = count->value;
  gpu.tdp_watts = reader.optional<double>("tdp_watts");
  const auto form = reader.optional<std::string>("form_factor");
  if (form) gpu.form_factor = form->value;
  if (const auto width = reader.optional<std::int64_t>("card_width")) gpu.card_width = width->value;
  gpu.card_size = read_card_size(reader, "card_size");
  gpu.memory = reader.required<Bytes>("memory");
  gpu.memory_bandwidth = reader.required<BytesPerSecond>("memory_bandwidth");
  gpu.cache = reader.optional<Bytes>("l2_cache");
  for (const char* precision : {"fp32", "tf32", "fp16", "fp8", "nvfp4"}) {
    const auto peak = reader.optional<FlopsPerSecond>(fmt::format("peak_{}", precision).c_str());
    if (peak) gpu.peak.emplace(precision, *peak);
  }
  const auto fp8 = gpu.peak.find("fp8");
  if (fp8 != gpu.peak.end() && gpu.compute_capability >= kFirstWithBlockScales) {
    gpu.peak.emplace("mxfp8", fp8->second);
  }
  gpu.pcie_generation = reader.required<std::int64_t>("pcie_generation").value;
  gpu.pcie_lanes = reader.required<std::int64_t>("pcie_lanes").value;
  if (const auto p2p = reader.optional<bool>("pcie_peer_to_peer")) gpu.pcie_p2p = p2p->value;
  if (const auto generation = reader.optional<std::int64_t>("nvlink_generation")) {
    gpu.nvlink = fmt::format("nvlink{}", generation->value);
    const auto links = reader.optional<std::int64_t>("nvlink_links");
    gpu.nvlink_links = links ? links->value : 0;
    if (const auto joined = reader.optional<std::int64_t>("bridge_gpus")) {
      gpu.bridge_gpus = joined->value;
    }
  }
  const auto onboard = reader.optional<std::string>("onboard_nic");
  if (onboard) gpu.onboard_nic = onboard->value;
  if (const auto successor = reader.optional<std::string>("successor")) {
    gpu.successor = successor->value;
  }
  gpu.nvlink_link_bandwidth = reader.optional<BytesPerSecond>("nvlink_bandwidth_per_link");
  return gpu;
}

NetKind read_net(const std::string& word) {
  static const std::map<std::string, NetKind> words = {
      {"ib", NetKind::kIb},     {"socket", NetKind::kSocket}, {"efa", NetKind::kEfa},
      {"tcpx", NetKind::kTcpx}, {"tcpxo", NetKind::kTcpxo},   {"ofi", NetKind::kOfi}};
  return words.at(word);
}

NicModel read_nic(const std::string& id, const Value& entry, const EntryReader& reader) {
  NicModel nic;
  nic.id = id;
  nic.name = reader.name();
  nic.pci_ids = strings(entry, "pci_ids");
  nic.port_rate = reader.required<BytesPerSecond>("port_rate");
  nic.ports = reader.required<std::int64_t>("ports").value;
  nic.pcie_generation = reader.required<std::int64_t>("pcie_generation").value;
  nic.pcie_lanes = reader.required<std::int64_t>("pcie_lanes").value;
  nic.form_factors = strings(entry, "form_factors");
  nic.link_layer = reader.required<std::string>("link_layer").value;
  nic.rdma = reader.required<bool>("rdma").value;
  const auto net = reader.optional<std::string>("net");
  nic.net = net ? read_net(net->value) : nic.rdma ? NetKind::kIb : NetKind::kSocket;
  const auto gdr = reader.optional<bool>("gdr");
  nic.gdr = gdr ? gdr->value : nic.rdma;
  const auto dpu = reader.optional<bool>("dpu");
  nic.dpu = dpu && dpu->value;
  if (const auto protocols = reader.optional<std::string>("nccl_protocols")) {
    nic.nccl_protocols = protocols->value;
  }
  if (const auto algorithms = reader.optional<std::string>("nccl_algorithms")) {
    nic.nccl_algorithms = algorithms->value;
  }
  if (const auto since = reader.optional<std::string>("plugin_since")) {
    nic.plugin_since = since->value;
  }
  const auto upgrade = reader.optional<bool>("upgrade");
  nic.upgrade = upgrade && upgrade->value;
  nic.payload_share = reader.required<double>("payload_efficiency");
  nic.latency = reader.required<SimTime>("latency");
  return nic;
}

CpuModel read_cpu(const std::string& id, const Value& entry, const EntryReader& reader) {
  CpuModel cpu;
  cpu.id = id;
  cpu.name = reader.name();
  cpu.vendor = reader.required<std::string>("vendor").value;
  cpu.memory_bandwidth = reader.required<BytesPerSecond>("memory_bandwidth");
  cpu.memory_share = reader.required<double>("memory_efficiency");
  cpu.socket_link = reader.required<std::string>("socket_link").value;
  cpu.socket_links = reader.required<std::int64_t>("socket_links").value;
  cpu.socket_link_bandwidth = reader.required<BytesPerSecond>("socket_link_bandwidth");
  cpu.socket_link_share = reader.required<double>("socket_link_efficiency");
  if (const auto cpuid = find(entry, "cpuid")) {
    for (const Value& pair : find(*cpuid, "value")->elements()) {
      cpu.cpuids.emplace_back(as_count(*find(pair, "family")), as_count(*find(pair, "model")));
    }
  }
  cpu.products = strings(entry, "products");
  if (const auto nodes = find(entry, "numa_nodes_per_socket")) {
    cpu.numa_nodes_per_socket.clear();
    for (const Value& count : find(*nodes, "value")->elements()) {
      cpu.numa_nodes_per_socket.push_back(as_count(count));
    }
  }
  const auto lanes = reader.optional<std::int64_t>("pcie_lanes");
  cpu.pcie_lanes = lanes ? lanes->value : 0;
  const auto beside = reader.optional<std::int64_t>("pcie_lanes_beside_others");
  cpu.pcie_lanes_beside_others = beside ? beside->value : 0;
  if (const auto generation = reader.optional<std::int64_t>("pcie_generation")) {
    cpu.pcie_generation = generation->value;
  }
  cpu.translated_staging_share = reader.optional<double>("translated_staging_efficiency");
  if (const auto cores = reader.optional<std::int64_t>("most_cores")) cpu.most_cores = cores->value;
  cpu.single_thread = reader.optional<double>("single_thread");
  cpu.node_link_bandwidth = reader.optional<BytesPerSecond>("node_link_bandwidth");
  return cpu;
}

PcieAttachment read_attachment(const Value& value, const EntryReader& reader) {
  const auto form = find(value, "form_factor");
  return {as_string(*find(value, "under")), as_count(*find(value, "pcie_generation")),
          as_count(*find(value, "lanes")), reader.source_of(value),
          form ? as_string(*find(*form, "value")) : std::string()};
}

ServerModel read_server(const std::string& id, const Value& entry, const EntryReader& reader) {
  ServerModel server;
  server.id = id;
  server.name = reader.name();
  server.cpu = reader.required<std::string>("cpu");
  server.sockets = reader.required<std::int64_t>("sockets").value;
  if (const auto nodes = reader.optional<std::int64_t>("numa_nodes_per_socket")) {
    server.numa_nodes_per_socket = nodes->value;
  }
  for (const auto& [name, key, complex] : find(entry, "root_complexes")->members()) {
    const auto node = find(complex, "numa_node");
    const auto quadrant = find(complex, "quadrant");
    server.root_complexes.emplace(
        name, RootComplex{as_count(*find(complex, "socket")), node ? as_count(*node) : 0,
                          quadrant ? std::optional(as_count(*quadrant)) : std::nullopt});
  }
  if (const auto switches = find(entry, "pcie_switches")) {
    for (const auto& [name, key, value] : switches->members()) {
      server.pcie_switches.emplace(name, read_attachment(value, reader));
    }
  }
  for (const Value& slot : find(entry, "gpu_slots")->elements()) {
    server.gpu_slots.push_back(read_attachment(slot, reader));
  }
  for (const auto& [name, key, value] : find(entry, "nic_slots")->members()) {
    server.nic_slots.emplace(name, read_attachment(value, reader));
  }
  if (const auto nvme = find(entry, "nvme")) server.nvme = read_attachment(*nvme, reader);
  const Value nvlink = *find(entry, "nvlink");
  server.nvlink = read_nvlink_layout(nvlink, reader.source_of(nvlink));
  if (const auto gpu = reader.optional<std::string>("default_gpu")) server.default_gpu = gpu->value;
  server.gpu_form_factors = strings(entry, "gpu_form_factors");
  if (const auto width = reader.optional<std::int64_t>("gpu_slot_width")) {
    server.gpu_slot_width = width->value;
  }
  server.gpu_slot_size = read_card_size(reader, "gpu_slot_size");
  const auto watts = reader.optional<double>("gpu_slot_watts");
  if (watts) server.gpu_slot_watts = watts->value;
  const auto rest = reader.optional<std::string>("other_lanes");
  if (rest) server.other_lanes = rest->value;
  return server;
}

BoardModel read_board(const std::string& id, const Value& entry, const EntryReader& reader) {
  BoardModel board;
  board.id = id;
  board.name = reader.name();
  for (const Value& gpu : find(entry, "gpus")->elements()) board.gpus.push_back(as_string(gpu));
  board.count = as_count(*find(entry, "count"));
  if (const auto vendor = find(entry, "cpu_vendor")) board.cpu_vendor = as_string(*vendor);
  const Value nvlink = *find(entry, "nvlink");
  board.nvlink = read_nvlink_layout(nvlink, reader.source_of(nvlink));
  return board;
}

NetworkSwitchModel read_switch(const std::string& id, const Value& entry,
                               const EntryReader& reader) {
  return {id, reader.name(), reader.required<BytesPerSecond>("port_rate").value,
          reader.optional<SimTime>("latency"), entry.member("in_network_reduction") != nullptr};
}

Dataset read_dataset(const std::string& id, const Value& /*entry*/, const EntryReader& reader) {
  return {id, reader.name(), reader.required<std::int64_t>("samples").value,
          reader.optional<Bytes>("stored_bytes_per_sample")};
}

void read_pcie_entry(Catalog& catalog, const EntryReader& reader) {
  const std::int64_t generation = reader.required<std::int64_t>("generation").value;
  catalog.pcie.emplace(generation,
                       PcieGeneration{generation, reader.required<BytesPerSecond>("lane_rate"),
                                      reader.required<double>("payload_efficiency"),
                                      reader.required<SimTime>("hop_latency"),
                                      reader.required<double>("kernel_staging_efficiency"),
                                      reader.required<double>("root_forward_efficiency"),
                                      reader.required<double>("root_exchange_efficiency"),
                                      reader.required<double>("root_translation_efficiency")});
}

void read_nvlink_entry(Catalog& catalog, const std::string& id, const EntryReader& reader) {
  if (const auto bandwidth = reader.optional<BytesPerSecond>("link_bandwidth")) {
    const auto share = reader.optional<double>("payload_efficiency");
    const auto latency = reader.optional<SimTime>("hop_latency");
    catalog.nvlinks.emplace(
        id, NvLinkGeneration{id, *bandwidth, share.value_or(Sourced<double>{1.0, ""}),
                             latency.value_or(Sourced<SimTime>{})});
  } else {
    const auto latency = reader.optional<SimTime>("latency");
    catalog.nvswitches.emplace(id, NvSwitchModel{id, latency.value_or(Sourced<SimTime>{})});
  }
}

template <class Part>
void add_later(input::NameTable<Part>& table, const input::Entries& entries,
               Part (*read)(const std::string& id, const Value& entry, const EntryReader&)) {
  table.make_later(entries.names, [entries, read](const std::string& id) {
    const Value entry = entries.entry(id);
    const Value sources = entries.sources();
    return read(id, entry, EntryReader(entry, sources));
  });
}

}  // namespace

void add_parts(Catalog& catalog, const std::string& kind, const input::Entries& entries) {
  catalog.names.emplace(kind, entries.names);
  if (kind == "gpus") return add_later(catalog.gpus, entries, read_gpu);
  if (kind == "nics") return add_later(catalog.nics, entries, read_nic);
  if (kind == "cpus") return add_later(catalog.cpus, entries, read_cpu);
  if (kind == "switches") return add_later(catalog.switches, entries, read_switch);
  if (kind == "boards") return add_later(catalog.boards, entries, read_board);
  if (kind == "servers") return add_later(catalog.servers, entries, read_server);
  if (kind == "datasets") return add_later(catalog.datasets, entries, read_dataset);
  const Value sources = entries.sources();
  for (const std::string& id : entries.names) {
    const Value entry = entries.entry(id);
    const EntryReader reader(entry, sources);
    if (kind == "pcie") {
      read_pcie_entry(catalog, reader);
    } else {
      read_nvlink_entry(catalog, id, reader);
    }
  }
}

}  // namespace vgsim::topology
