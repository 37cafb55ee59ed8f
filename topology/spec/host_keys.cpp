#include "topology/spec/host_keys.hpp"

#include "topology/catalog/catalog_shapes.hpp"
#include "topology/catalog/entry_reader.hpp"
#include "topology/spec/server_keys.hpp"

namespace vgsim::topology {
namespace {

using namespace input;

/// Decoder of a file name and the kind of that file.
Decoder<std::string> topology_file() {
  return text(
      "a file that vgsim import wrote, such as \"host.json\", or a dump of NCCL, such as "
      "\"nccl:host.xml\"",
      "^(nccl:[^\\u0000]+|[^\\u0000]+\\.json)$",
      [](std::string_view text) -> std::optional<std::string> {
        const bool is_nccl = text.size() > 5 && text.starts_with("nccl:");
        const bool is_ours = text.size() > 5 && text.ends_with(".json");
        return is_nccl || is_ours ? std::optional(std::string(text)) : std::nullopt;
      });
}

Decoder<At<GpuPair>> gpu_pair() {
  return placed(changed(list(count(0, 63), 2, 2), [](const std::vector<std::int64_t>& pair) {
    return GpuPair(pair[0], pair[1]);
  }));
}

Decoder<NvLinkLayout> nvlink_layout() {
  return {nvlink_layout_shape(false),
          [](const Value& value, Diagnostics&) { return read_nvlink_layout(value, "scenario"); }};
}

Decoder<NicSpec> host_nic() {
  return record<NicSpec>({
      key("nic", &NicSpec::nic, name())
          .required()
          .describe("NIC, by its catalogue name")
          .examples({"connectx-6-dx-100g"})
          .aliases({"model", "type"}),
      key("near", &NicSpec::near, name())
          .describe("device to sit next to: gpuN or socketN; the closest free slot is taken")
          .examples({"gpu0", "socket1"}),
      key("slot", &NicSpec::slot, name()).describe("slot of the server, by its catalogue name"),
  });
}

Decoder<DeviceSpec> device() {
  return record<DeviceSpec>({
      key("gpu", &DeviceSpec::gpu, name()).describe("GPU, by its catalogue name"),
      key("nic", &DeviceSpec::nic, name()).describe("NIC, by its catalogue name"),
  });
}

Decoder<StorageSpec> storage() {
  return record<StorageSpec>({
      key("read", &StorageSpec::read, rate(BytesPerSecond{1}))
          .required()
          .describe("rate at which the host reads training data")
          .examples({"6.5 GB/s"})
          .aliases({"bandwidth", "rate"}),
      key("over", &StorageSpec::over, name())
          .describe("NIC over which it is reached (vSAN, NFS, an object store)")
          .default_text("none: a drive of the host")
          .examples({"vmnic4"})
          .aliases({"nic"}),
  });
}

Decoder<NumaNodeSpec> numa_node() {
  return record<NumaNodeSpec>({
      key("cores", &NumaNodeSpec::cores, count(1, 1024)).describe("physical cores"),
      key("memory", &NumaNodeSpec::memory, bytes(Bytes{1})),
  });
}

}  // namespace

Keys<HostSpec> host_keys() {
  return {
      key("server", &HostSpec::server, server_choice())
          .describe(
              "server, by its catalogue name, or described where the catalogue lacks it; or give "
              "\"topology\"")
          .examples({"dell-r750xa"})
          .aliases({"model", "type"}),
      key("topology", &HostSpec::topology, topology_file())
          .describe("what vgsim import made of a real host's dumps, or a dump of NCCL as it is, "
                    "relative to this file; or give \"server\"")
          .examples({"host.json", "nccl:host.xml"})
          .aliases({"import", "dump"}),
      key("gpus", &HostSpec::gpus, text(kGpuCountNoun, kGpuCountPattern, &parse_gpu_count))
          .describe("GPUs in the server's slots; for a dump, the model of all its GPUs")
          .default_text("the server's default GPU in every slot")
          .examples({"4 x a100-pcie-80gb"})
          .aliases({"gpu"}),
      key("nvlink_bridges", &HostSpec::nvlink_bridges, list(gpu_pair(), 0, 32))
          .describe("pairs of GPUs joined by NVLink bridges")
          .default_text("none")
          .aliases({"bridges"}),
      key("nvlink", &HostSpec::nvlink, nvlink_layout())
          .describe(
              "NVLinks of an imported host whose dump does not list them, or of a server that "
              "is described"),
      key("nics", &HostSpec::nics, named("name of the NIC, or a range of them", host_nic()))
          .describe("NICs of the host")
          .aliases({"nic"}),
      key("devices", &HostSpec::devices, named("bus id in the dump", device()))
          .describe("models of devices that an imported dump does not identify"),
      key("cpu", &HostSpec::cpu, name())
          .describe("CPU of an imported host, by its catalogue name, where its dump does not "
                    "state it")
          .examples({"intel-sapphire-rapids"}),
      key("numa_nodes_per_socket", &HostSpec::numa_nodes_per_socket, count(1, 16))
          .describe("NUMA nodes that the BIOS makes of a socket: NPS on AMD, SNC (sub-NUMA "
                    "clustering) on Intel; what the CPU does not offer is refused")
          .default_text("as the server's catalogue entry, mostly 1")
          .examples({"4"})
          .aliases({"numa_per_socket", "nps", "snc"}),
      key("numa_node", &HostSpec::numa_node, numa_node())
          .describe("size of one NUMA node, to see whether a VM fits into it"),
      key("acs", &HostSpec::acs, boolean())
          .describe("PCIe access control services send peer-to-peer traffic through the root "
                    "complex, also between devices under one switch")
          .default_value("false"),
      key("pcie_p2p", &HostSpec::pcie_p2p, boolean())
          .describe("whether the driver allows peer-to-peer access over PCIe")
          .default_text("as in the catalogue for the GPU"),
      key("storage", &HostSpec::storage, storage()).describe("where training data is read from"),
      key("leaf", &HostSpec::leaf, count(1, 100'000))
          .describe("leaf switch that the host's NICs are connected to, from 1")
          .default_text("hosts are spread over the leaves in equal blocks"),
  };
}

Decoder<HostSpec> host_decoder() { return record<HostSpec>(host_keys()); }

}  // namespace vgsim::topology
