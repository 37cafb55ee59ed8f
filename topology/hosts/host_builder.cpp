#include "topology/hosts/host_builder.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/device_builder.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/hosts/host_parts.hpp"
#include "topology/hosts/server_host.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology {

using input::Diagnostics;

namespace {

/// The vertex above a device in the PCIe tree.
Vertex pcie_parent(const Topology& topology, Vertex device) {
  for (const Edge& edge : topology.edges_from(device)) {
    if (topology.link(edge).kind == LinkKind::kPcie) return edge.target;
  }
  return device;
}

inventory::HostCompletion completion_of(const HostSpec& spec, const Catalog& catalog,
                                        Diagnostics& diagnostics) {
  inventory::HostCompletion completion;
  if (spec.gpus) completion.gpu = named_gpu(*spec.gpus, catalog, "", diagnostics);
  if (spec.nvlink) {
    completion.nvlink = **spec.nvlink;
    const std::string& name = completion.nvlink->nvswitch;
    if (!name.empty() && look_up(catalog.nvswitches, {name, spec.nvlink->origin}, "nvswitch",
                                 diagnostics) == nullptr) {
      completion.nvlink.reset();
    }
  }
  if (spec.cpu) completion.cpu = look_up(catalog.cpus, *spec.cpu, "cpu", diagnostics);
  if (!spec.devices) return completion;
  for (const input::Named<DeviceSpec>& device : **spec.devices) {
    if (device->gpu) {
      completion.gpus[device.name] =
          look_up_part(catalog.gpus, catalog, "gpus", *device->gpu, "gpu", diagnostics);
    } else if (device->nic) {
      completion.nics[device.name] =
          look_up_part(catalog.nics, catalog, "nics", *device->nic, "nic", diagnostics);
    } else {
      report(diagnostics, device.origin, "has neither \"gpu\" nor \"nic\"");
    }
  }
  return completion;
}

/// Adds the NICs of the scenario to a dump: beside the stated GPU, or on the first socket.
void add_nics_to_dump(DeviceBuilder& devices, const Topology& topology, const HostSpec& spec,
                      Diagnostics& diagnostics) {
  for (const input::Named<NicSpec>& nic : in_natural_order(spec.nics)) {
    const NicModel* model = look_up_part(devices.catalog().nics, devices.catalog(), "nics",
                                         nic->nic, "nic", diagnostics);
    if (model == nullptr || !devices.is_free_name(nic, diagnostics)) continue;
    Vertex parent = devices.host().sockets.front();
    if (nic->near) {
      const std::string wanted = fmt::format("{}/{}", devices.host().name, **nic->near);
      const auto& gpus = devices.host().gpus;
      const auto gpu = std::find_if(gpus.begin(), gpus.end(),
                                    [&](Vertex v) { return topology.node(v).name == wanted; });
      if (gpu == gpus.end()) {
        report(diagnostics, *nic->near, fmt::format("no device \"{}\" in this dump", **nic->near));
        continue;
      }
      parent = pcie_parent(topology, *gpu);
    }
    devices.add_nic(parent, host_nic(*model, nic.name), model->id,
                    {model->pcie_generation, model->pcie_lanes}, "scenario");
  }
}

void check_gpu_count(DeviceBuilder& devices, const HostSpec& spec, Diagnostics& diagnostics) {
  if (!spec.gpus || (*spec.gpus)->count == devices.host().gpus.size()) return;
  report(
      diagnostics, *spec.gpus,
      fmt::format("the dump has {} GPUs, not {}", devices.host().gpus.size(), (*spec.gpus)->count));
}

/// Reports keys that apply only to a server, or only to a dump.
void check_keys(const HostSpec& spec, Diagnostics& diagnostics) {
  const auto foreign = [&](const auto& member, const char* name, const char* instead) {
    if (!member) return;
    report(diagnostics, *member,
           fmt::format("\"{}\" does not apply to {}", name,
                       spec.topology ? "an imported host" : "a server of the catalogue"),
           instead);
  };
  if (spec.topology) {
    foreign(spec.nvlink_bridges, "nvlink_bridges", "\"nvlink\" with \"kind\": \"bridge\"");
    foreign(spec.numa_nodes_per_socket, "numa_nodes_per_socket",
            "the NUMA nodes that the dump shows");
  } else {
    if (!(*spec.server)->described) {
      foreign(spec.nvlink, "nvlink", "this key on an imported host, or with a described server");
    }
    foreign(spec.devices, "devices", "this key on an imported host");
    foreign(spec.cpu, "cpu", "\"cpu\" of a described server");
  }
}

void build_from_dump(DeviceBuilder& devices, const Topology& topology, const HostSpec& spec,
                     const input::FileLoader& load, Diagnostics& diagnostics) {
  constexpr std::string_view kNccl = "nccl:";
  const input::At<std::string>& dump = *spec.topology;
  const bool is_nccl = dump->starts_with(kNccl);
  const auto file = load(dump->substr(is_nccl ? kNccl.size() : 0));
  if (!file) {
    return report(diagnostics, dump,
                  fmt::format("the dump cannot be read: {}", file.error().items().front().message));
  }
  const auto inventory = is_nccl ? read_nccl_xml(*file) : inventory::read_topology_file(*file);
  if (!inventory) return diagnostics.append(inventory.error());
  inventory::HostCompletion completion = completion_of(spec, devices.catalog(), diagnostics);
  if (diagnostics.has_errors()) return;
  diagnostics.append(inventory->warnings);
  inventory::build_inventory_host(*inventory, std::move(completion),
                                  {*file, is_nccl ? "NCCL topology" : "topology"}, devices,
                                  diagnostics);
  if (diagnostics.has_errors()) return;
  check_gpu_count(devices, spec, diagnostics);
  add_nics_to_dump(devices, topology, spec, diagnostics);
  if (spec.storage) {
    devices.add_storage(*spec.storage, devices.host().sockets.front(), diagnostics);
  }
}

/// Sets the NUMA nodes of the scenario, which override those of a dump.
void set_numa_nodes(const HostSpec& spec, Host& host) {
  const auto nodes = static_cast<std::int64_t>(host.sockets.size());
  if (spec.numa_node.cores) {
    host.numa_cores = **spec.numa_node.cores;
    host.all_cores = *host.numa_cores * nodes;
  }
  if (spec.numa_node.memory) {
    host.numa_memory = spec.numa_node.memory;
    host.all_memory = Bytes{host.numa_memory->count() * nodes};
  }
}

/// Sets peer-to-peer access: as in the scenario, else as in the catalogue entries of the GPUs.
void set_peer_to_peer(DeviceBuilder& devices, const Topology& topology, const HostSpec& spec) {
  Host& host = devices.host();
  for (const Vertex gpu : host.gpus) {
    const auto model = devices.catalog().gpus.find(topology.node(gpu).model);
    if (model != devices.catalog().gpus.end()) host.pcie_p2p &= model->second.pcie_p2p;
  }
  host.acs = *spec.acs;
  host.pcie_p2p = spec.pcie_p2p.value_or(host.pcie_p2p);
}

}  // namespace

void build_host(Topology& topology, const Catalog& catalog, const std::string& name,
                const HostSpec& spec, const input::Origin& at, const input::FileLoader& load,
                Diagnostics& diagnostics) {
  if (spec.server.has_value() == spec.topology.has_value()) {
    return report(diagnostics, at,
                  spec.server ? "both \"server\" and \"topology\" are given"
                              : "neither \"server\" nor \"topology\" is given",
                  "one of them");
  }
  check_keys(spec, diagnostics);
  DeviceBuilder devices(topology, catalog, name);
  if (spec.topology) {
    build_from_dump(devices, topology, spec, load, diagnostics);
  } else {
    const auto server = server_of(spec, catalog, diagnostics);
    if (server) build_server_host(devices, *server, spec, diagnostics);
  }
  set_numa_nodes(spec, devices.host());
  set_peer_to_peer(devices, topology, spec);
}

}  // namespace vgsim::topology
