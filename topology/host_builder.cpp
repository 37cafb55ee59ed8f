#include "topology/host_builder.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/catalog/entry_reader.hpp"
#include "topology/device_builder.hpp"
#include "topology/gpu_count.hpp"
#include "topology/host_input.hpp"
#include "topology/importers/nccl/nccl_host.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/inventory/inventory_host.hpp"
#include "topology/inventory/topology_file.hpp"
#include "topology/server_host.hpp"

namespace vgsim::topology {

using input::as_string;
using input::Diagnostics;
using input::find;
using input::Value;

GpuChoice parse_gpus(const Value& value, const Catalog& catalog, std::string_view usual,
                     Diagnostics& diagnostics) {
  const auto written = parse_gpu_count(as_string(value));
  const Value name = Value::make_string(written->gpu, value.origin());
  return {written->count,
          look_up_part(catalog.gpus, catalog, "gpus", name, "gpu", diagnostics, usual)};
}

namespace {

/// The vertex above a device in the PCIe tree.
Vertex pcie_parent(const Topology& topology, Vertex device) {
  for (const Edge& edge : topology.edges_from(device)) {
    if (topology.link(edge).kind == LinkKind::kPcie) return edge.target;
  }
  return device;
}

NcclCompletion read_completion(const Catalog& catalog, const Value& value,
                               Diagnostics& diagnostics) {
  NcclCompletion completion;
  if (const auto gpus = find(value, "gpus")) {
    completion.gpu = parse_gpus(*gpus, catalog, "", diagnostics).model;
  }
  if (const auto nvlink = find(value, "nvlink")) {
    completion.nvlink = read_nvlink_layout(*nvlink, "scenario");
    const auto name = find(*nvlink, "switch");
    if (name && look_up(catalog.nvswitches, *name, "nvswitch", diagnostics) == nullptr) {
      completion.nvlink.reset();
    }
  }
  if (const auto devices = find(value, "devices")) {
    for (const auto& [bus_id, key, device] : devices->members()) {
      if (const auto gpu = find(device, "gpu")) {
        completion.gpus[bus_id] =
            look_up_part(catalog.gpus, catalog, "gpus", *gpu, "gpu", diagnostics);
      } else if (const auto nic = find(device, "nic")) {
        completion.nics[bus_id] =
            look_up_part(catalog.nics, catalog, "nics", *nic, "nic", diagnostics);
      } else {
        report(diagnostics, device, "says neither \"gpu\" nor \"nic\"");
      }
    }
  }
  return completion;
}

/// NICs that the scenario adds to a dump sit beside the GPU named, or on the first socket.
void add_nics_to_dump(DeviceBuilder& devices, const Topology& topology, const Value& nics,
                      Diagnostics& diagnostics) {
  std::vector<input::Member> ordered = nics.members();
  std::sort(ordered.begin(), ordered.end(),
            [](const auto& a, const auto& b) { return input::natural_less(a.name, b.name); });
  for (const auto& [name, key, nic] : ordered) {
    const NicModel* model = look_up_part(devices.catalog().nics, devices.catalog(), "nics",
                                         *find(nic, "nic"), "nic", diagnostics);
    if (model == nullptr) continue;
    Vertex parent = devices.host().sockets.front();
    if (const auto near = find(nic, "near")) {
      const std::string wanted = fmt::format("{}/{}", devices.host().name, as_string(*near));
      const auto& gpus = devices.host().gpus;
      const auto gpu = std::find_if(gpus.begin(), gpus.end(),
                                    [&](Vertex v) { return topology.node(v).name == wanted; });
      if (gpu == gpus.end()) {
        report(diagnostics, *near, fmt::format("no device \"{}\" in this dump", as_string(*near)));
        continue;
      }
      parent = pcie_parent(topology, *gpu);
    }
    devices.add_nic(parent, host_nic(*model, name), model->id,
                    {model->pcie_generation, model->pcie_lanes}, "scenario");
  }
}

void check_gpu_count(DeviceBuilder& devices, const Value& value, Diagnostics& diagnostics) {
  const auto gpus = find(value, "gpus");
  if (!gpus) return;
  const std::size_t said = parse_gpu_count(as_string(*gpus))->count;
  if (said == devices.host().gpus.size()) return;
  report(diagnostics, *gpus,
         fmt::format("the dump has {} GPUs, not {}", devices.host().gpus.size(), said));
}

/// Keys that say something only of a server, or only of a dump.
void check_keys(const Value& value, bool is_dump, Diagnostics& diagnostics) {
  struct Foreign {
    const char* name;
    const char* instead;
  };
  static const std::vector<Foreign> of_servers = {
      {"nvlink_bridges", "\"nvlink\" with \"kind\": \"bridge\""},
      {"numa_nodes_per_socket", "the NUMA nodes that the dump shows"}};
  static const std::vector<Foreign> of_dumps = {{"nvlink", "it on an imported host"},
                                                {"devices", "it on an imported host"}};
  for (const Foreign& foreign : is_dump ? of_servers : of_dumps) {
    const input::Member* member = value.member(foreign.name);
    if (member == nullptr) continue;
    diagnostics.error("E411", member->key, member->value.pointer(),
                      fmt::format("\"{}\" says nothing of {}", foreign.name,
                                  is_dump ? "an imported host" : "a server of the catalogue"),
                      foreign.instead);
  }
}

/// Of a dump as NCCL wrote it.
void build_from_nccl_xml(DeviceBuilder& devices, const input::SourcePtr& file, const Value& value,
                         Diagnostics& diagnostics) {
  const auto system = parse_nccl_xml(file);
  if (!system) return diagnostics.append(system.error());
  const NcclCompletion completion = read_completion(devices.catalog(), value, diagnostics);
  if (!diagnostics.has_errors()) build_nccl_host(*system, completion, devices, diagnostics);
}

/// Of a file that `vgsim import` wrote.
void build_from_topology_file(DeviceBuilder& devices, const input::SourcePtr& file,
                              const Value& value, Diagnostics& diagnostics) {
  auto inventory = inventory::read_topology_file(file);
  if (!inventory) return diagnostics.append(inventory.error());
  NcclCompletion completion = read_completion(devices.catalog(), value, diagnostics);
  if (diagnostics.has_errors()) return;
  inventory::build_inventory_host(*inventory, std::move(completion), file, devices, diagnostics);
}

void build_from_dump(DeviceBuilder& devices, const Topology& topology, const Value& value,
                     const input::FileLoader& load, Diagnostics& diagnostics) {
  constexpr std::string_view kNccl = "nccl:";
  const Value dump = *find(value, "topology");
  const bool is_nccl = as_string(dump).starts_with(kNccl);
  const auto file = load(as_string(dump).substr(is_nccl ? kNccl.size() : 0));
  if (!file) {
    return report(diagnostics, dump,
                  fmt::format("the dump cannot be read: {}", file.error().items().front().message));
  }
  if (is_nccl) {
    build_from_nccl_xml(devices, *file, value, diagnostics);
  } else {
    build_from_topology_file(devices, *file, value, diagnostics);
  }
  if (diagnostics.has_errors()) return;
  check_gpu_count(devices, value, diagnostics);
  if (const auto nics = find(value, "nics")) {
    add_nics_to_dump(devices, topology, *nics, diagnostics);
  }
  if (const auto storage = find(value, "storage")) {
    devices.add_storage(*storage, devices.host().sockets.front(), diagnostics);
  }
}

}  // namespace

namespace {

/// What the scenario says of peer-to-peer traffic, else what the GPUs' catalogue entries say.
void set_peer_to_peer(DeviceBuilder& devices, const Topology& topology, const Value& value) {
  Host& host = devices.host();
  for (const Vertex gpu : host.gpus) {
    const auto model = devices.catalog().gpus.find(topology.node(gpu).model);
    if (model != devices.catalog().gpus.end()) host.pcie_p2p &= model->second.pcie_p2p;
  }
  if (const auto acs = find(value, "acs")) host.acs = input::as_bool(*acs);
  if (const auto p2p = find(value, "pcie_p2p")) host.pcie_p2p = input::as_bool(*p2p);
}

}  // namespace

void build_host(Topology& topology, const Catalog& catalog, const std::string& name,
                const Value& value, const input::FileLoader& load, Diagnostics& diagnostics) {
  const auto server = find(value, "server");
  const auto dump = find(value, "topology");
  if (server.has_value() == dump.has_value()) {
    return report(diagnostics, value,
                  server ? "both \"server\" and \"topology\" are given"
                         : "neither \"server\" nor \"topology\" is given",
                  "one of them");
  }
  check_keys(value, dump.has_value(), diagnostics);
  DeviceBuilder devices(topology, catalog, name);
  if (dump) {
    build_from_dump(devices, topology, value, load, diagnostics);
  } else {
    const ServerModel* model =
        look_up_part(catalog.servers, catalog, "servers", *server, "server", diagnostics);
    if (model != nullptr) build_server_host(devices, *model, value, diagnostics);
  }
  set_peer_to_peer(devices, topology, value);
}

}  // namespace vgsim::topology
