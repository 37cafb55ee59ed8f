#include "topology/catalog/catalog.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "topology/catalog/catalog_shapes.hpp"
#include "topology/catalog/entry_reader.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shape.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::topology {
namespace {

using input::as_count;
using input::as_string;
using input::Diagnostics;
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

GpuModel read_gpu(const std::string& id, const Value& entry, const EntryReader& reader) {
  GpuModel gpu;
  gpu.id = id;
  gpu.name = reader.name();
  gpu.pci_ids = strings(entry, "pci_ids");
  gpu.compute_capability = reader.required<std::int64_t>("compute_capability").value;
  gpu.memory = reader.required<Bytes>("memory");
  gpu.memory_bandwidth = reader.required<BytesPerSecond>("memory_bandwidth");
  for (const char* precision : {"fp32", "tf32", "fp16", "fp8"}) {
    const auto peak = reader.optional<FlopsPerSecond>(fmt::format("peak_{}", precision).c_str());
    if (peak) gpu.peak.emplace(precision, *peak);
  }
  gpu.pcie_generation = reader.required<std::int64_t>("pcie_generation").value;
  gpu.pcie_lanes = reader.required<std::int64_t>("pcie_lanes").value;
  if (const auto generation = reader.optional<std::int64_t>("nvlink_generation")) {
    gpu.nvlink = fmt::format("nvlink{}", generation->value);
    const auto links = reader.optional<std::int64_t>("nvlink_links");
    gpu.nvlink_links = links ? links->value : 0;
  }
  gpu.nvlink_link_bandwidth = reader.optional<BytesPerSecond>("nvlink_bandwidth_per_link");
  return gpu;
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
  nic.rdma = reader.required<bool>("rdma").value;
  nic.payload_share = reader.required<double>("payload_efficiency");
  nic.latency = reader.required<SimTime>("latency");
  return nic;
}

CpuModel read_cpu(const std::string& id, const Value& entry, const EntryReader& reader) {
  CpuModel cpu;
  cpu.id = id;
  cpu.name = reader.name();
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
  return cpu;
}

PcieAttachment read_attachment(const Value& value, const EntryReader& reader) {
  return {as_string(*find(value, "under")), as_count(*find(value, "pcie_generation")),
          as_count(*find(value, "lanes")), reader.source_of(value)};
}

ServerModel read_server(const std::string& id, const Value& entry, const EntryReader& reader) {
  ServerModel server;
  server.id = id;
  server.name = reader.name();
  server.cpu = reader.required<std::string>("cpu");
  server.sockets = reader.required<std::int64_t>("sockets").value;
  for (const auto& [name, key, complex] : find(entry, "root_complexes")->members()) {
    server.root_complexes.emplace(name, as_count(*find(complex, "socket")));
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
  return server;
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

void read_entry(Catalog& catalog, const std::string& kind, const std::string& id,
                const Value& entry, const Value& sources) {
  const EntryReader reader(entry, sources);
  if (kind == "gpus") {
    catalog.gpus.emplace(id, read_gpu(id, entry, reader));
  } else if (kind == "nics") {
    catalog.nics.emplace(id, read_nic(id, entry, reader));
  } else if (kind == "cpus") {
    catalog.cpus.emplace(id, read_cpu(id, entry, reader));
  } else if (kind == "switches") {
    catalog.switches.emplace(
        id, NetworkSwitchModel{id, reader.name(), reader.optional<SimTime>("latency")});
  } else if (kind == "pcie") {
    const std::int64_t generation = reader.required<std::int64_t>("generation").value;
    catalog.pcie.emplace(generation,
                         PcieGeneration{generation, reader.required<BytesPerSecond>("lane_rate"),
                                        reader.required<double>("payload_efficiency"),
                                        reader.required<SimTime>("hop_latency")});
  } else if (kind == "nvlink") {
    read_nvlink_entry(catalog, id, reader);
  } else if (kind == "servers") {
    catalog.servers.emplace(id, read_server(id, entry, reader));
  } else {
    catalog.datasets.emplace(
        id, Dataset{id, reader.name(), reader.required<std::int64_t>("samples").value,
                    reader.optional<Bytes>("stored_bytes_per_sample")});
  }
}

/// Every "source" below `value` must be a key of the file's table.
void check_sources(const Value& value, const Value& sources, Diagnostics& diagnostics) {
  if (value.is_array()) {
    for (const Value& element : value.elements()) check_sources(element, sources, diagnostics);
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [name, key, member] : value.members()) {
    if (name != "source" || !member.is_string()) {
      check_sources(member, sources, diagnostics);
    } else if (sources.member(member.string()) == nullptr) {
      std::vector<std::string> known;
      for (const auto& entry : sources.members()) known.push_back(entry.name);
      diagnostics.error("E401", member.location(), member.pointer(),
                        fmt::format("unknown source \"{}\"", member.string()),
                        "a key of \"sources\" in the same file",
                        input::suggest(member.string(), known));
    }
  }
}

void read_file(Catalog& catalog, const input::SourcePtr& file, Diagnostics& diagnostics) {
  const auto document = input::read_json(file);
  if (!document) return diagnostics.append(document.error());
  const auto kind_value = find(*document, "kind");
  const std::string kind = kind_value && kind_value->is_string() ? kind_value->string() : "";
  const auto& kinds = catalog_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    return input::check(*document, catalog_shape(), diagnostics);
  }
  Diagnostics found;
  input::check(*document, catalog_file_shape(kind), found);
  if (!found.has_errors()) {
    check_sources(*find(*document, "entries"), *find(*document, "sources"), found);
  }
  diagnostics.append(found);
  if (found.has_errors()) return;
  if (!catalog.documents.emplace(kind, *document).second) {
    return diagnostics.error("E402", document->location(), "",
                             fmt::format("second file of kind \"{}\"", kind));
  }
  for (const auto& [id, key, entry] : find(*document, "entries")->members()) {
    read_entry(catalog, kind, id, entry, *find(*document, "sources"));
  }
}

template <class Table>
void check_reference(const std::string& name, const Table& table, const std::string& who,
                     Diagnostics& diagnostics) {
  if (name.empty() || table.contains(name)) return;
  diagnostics.error("E403", {}, "", fmt::format("{} names an unknown part \"{}\"", who, name), "",
                    input::suggest(name, names_of(table)));
}

void check_references(const Catalog& catalog, Diagnostics& diagnostics) {
  for (const auto& [id, server] : catalog.servers) {
    check_reference(server.cpu.value, catalog.cpus, "server " + id, diagnostics);
    check_reference(server.default_gpu, catalog.gpus, "server " + id, diagnostics);
    check_reference(server.nvlink.nvswitch, catalog.nvswitches, "server " + id, diagnostics);
    for (const PcieAttachment& slot : server.gpu_slots) {
      const bool known =
          server.root_complexes.contains(slot.under) || server.pcie_switches.contains(slot.under);
      if (!known) check_reference(slot.under, server.pcie_switches, "server " + id, diagnostics);
    }
  }
  for (const auto& [id, gpu] : catalog.gpus) {
    check_reference(gpu.nvlink, catalog.nvlinks, "GPU " + id, diagnostics);
  }
}

template <class Table>
auto by_pci_id(const Table& table, std::string_view id) -> const typename Table::mapped_type* {
  for (const auto& [name, part] : table) {
    if (std::find(part.pci_ids.begin(), part.pci_ids.end(), id) != part.pci_ids.end()) return &part;
  }
  return nullptr;
}

}  // namespace

std::string describe_source(const Value& sources, const std::string& key) {
  const auto source = find(sources, key);
  if (!source) return key;
  return fmt::format("{} ({})", as_string(*find(*source, "title")),
                     as_string(*find(*source, "evidence")));
}

std::string EntryReader::source_of(const Value& object) const {
  const auto key = find(object, "source");
  return key ? describe_source(*sources_, as_string(*key)) : std::string();
}

NvLinkLayout read_nvlink_layout(const Value& value, std::string source) {
  using Kind = NvLinkLayout::Kind;
  static const std::map<std::string, Kind> kinds = {{"none", Kind::kNone},
                                                    {"bridge", Kind::kBridge},
                                                    {"mesh", Kind::kMesh},
                                                    {"nvswitch", Kind::kNvSwitch},
                                                    {"matrix", Kind::kMatrix}};
  NvLinkLayout layout;
  layout.kind = kinds.at(as_string(*find(value, "kind")));
  layout.source = std::move(source);
  if (const auto pairs = find(value, "pairs")) {
    for (const Value& pair : pairs->elements()) {
      layout.pairs.emplace_back(as_count(pair.elements()[0]), as_count(pair.elements()[1]));
    }
  }
  if (const auto count = find(value, "links_per_pair")) layout.links_per_pair = as_count(*count);
  if (const auto nvswitch = find(value, "switch")) layout.nvswitch = as_string(*nvswitch);
  if (const auto links = find(value, "links")) {
    for (const Value& row : links->elements()) {
      layout.links.emplace_back();
      for (const Value& cell : row.elements()) layout.links.back().push_back(as_count(cell));
    }
  }
  return layout;
}

tl::expected<Catalog, Diagnostics> Catalog::read(const std::vector<input::SourcePtr>& files) {
  Catalog catalog;
  Diagnostics diagnostics;
  for (const auto& file : files) read_file(catalog, file, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  for (const std::string& kind : catalog_kinds()) {
    if (!catalog.documents.contains(kind)) {
      diagnostics.error("E404", {}, "",
                        fmt::format("the catalogue has no file of kind \"{}\"", kind));
    }
  }
  check_references(catalog, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return catalog;
}

const GpuModel* Catalog::gpu_by_pci_id(std::string_view id) const { return by_pci_id(gpus, id); }

const NicModel* Catalog::nic_by_pci_id(std::string_view id) const { return by_pci_id(nics, id); }

const CpuModel* Catalog::cpu_by_cpuid(std::int64_t family, std::int64_t model) const {
  for (const auto& [name, cpu] : cpus) {
    if (std::find(cpu.cpuids.begin(), cpu.cpuids.end(), std::pair{family, model}) !=
        cpu.cpuids.end()) {
      return &cpu;
    }
  }
  return nullptr;
}

}  // namespace vgsim::topology
