#include "topology/host_shape.hpp"

#include <optional>
#include <string>

#include "topology/catalog/catalog_shapes.hpp"
#include "topology/gpu_count.hpp"

namespace vgsim::topology {
namespace {

using namespace input;

Shape topology_shape() {
  constexpr const char* kNoun =
      "a file that vgsim import wrote, such as \"host.json\", or a dump of NCCL, such as "
      "\"nccl:host.xml\"";
  return pattern_string(kNoun, "^(nccl:[^\\u0000]+|[^\\u0000]+\\.json)$",
                        [](std::string_view text) -> std::optional<std::string> {
                          const bool is_nccl = text.size() > 5 && text.starts_with("nccl:");
                          const bool is_ours = text.size() > 5 && text.ends_with(".json");
                          if (is_nccl || is_ours) return std::nullopt;
                          return kNoun;
                        });
}

Shape host_nic_shape() {
  return object_shape({
      field("nic", name_shape())
          .required()
          .describe("NIC, by its catalogue name")
          .examples({"connectx-6-dx-100g"})
          .aliases({"model", "type"}),
      field("near", name_shape())
          .describe("device to sit next to: gpuN or socketN; the closest free slot is taken")
          .examples({"gpu0", "socket1"}),
      field("slot", name_shape()).describe("slot of the server, by its catalogue name"),
  });
}

Shape device_shape() {
  return object_shape({
      field("gpu", name_shape()).describe("GPU, by its catalogue name"),
      field("nic", name_shape()).describe("NIC, by its catalogue name"),
  });
}

Shape storage_shape() {
  return object_shape({
      field("read", rate_shape(BytesPerSecond{1}))
          .required()
          .describe("rate at which the host reads training data")
          .examples({"6.5 GB/s"})
          .aliases({"bandwidth", "rate"}),
      field("over", name_shape())
          .describe("NIC over which it is reached (vSAN, NFS, an object store)")
          .default_text("none: a drive of the host")
          .examples({"vmnic4"})
          .aliases({"nic"}),
  });
}

}  // namespace

Shape host_shape(std::vector<Field> more) {
  std::vector<Field> fields{
      field("server", name_shape())
          .describe("server, by its catalogue name; or give \"topology\"")
          .examples({"dell-r750xa"})
          .aliases({"model", "type"}),
      field("topology", topology_shape())
          .describe("what vgsim import made of a real host's dumps, or a dump of NCCL as it is, "
                    "relative to this file; or give \"server\"")
          .examples({"host.json", "nccl:host.xml"})
          .aliases({"import", "dump"}),
      field("gpus", gpu_count_shape())
          .describe("GPUs in the server's slots; for a dump, the model of all its GPUs")
          .default_text("the server's default GPU in every slot")
          .examples({"4 x a100-pcie-80gb"})
          .aliases({"gpu"}),
      field("nvlink_bridges", array_shape(array_shape(count_shape(0, 63), 2, 2), 0, 32))
          .describe("pairs of GPUs joined by NVLink bridges")
          .default_text("none")
          .aliases({"bridges"}),
      field("nvlink", nvlink_layout_shape(false))
          .describe("NVLinks of an imported host whose dump does not list them"),
      field("nics", map_shape("name of the NIC, or a range of them", host_nic_shape()))
          .describe("NICs of the host")
          .aliases({"nic"}),
      field("devices", map_shape("bus id in the dump", device_shape()))
          .describe("what devices of an imported dump are, where it does not say"),
      field("numa_nodes_per_socket", count_shape(1, 16))
          .describe("NUMA nodes that the BIOS makes of a socket: NPS on AMD, SNC (sub-NUMA "
                    "clustering) on Intel; what the CPU does not offer is refused")
          .default_text("as the server's catalogue entry, mostly 1")
          .examples({"4"})
          .aliases({"numa_per_socket", "nps", "snc"}),
      field("acs", boolean_shape())
          .describe("PCIe access control services send peer-to-peer traffic through the root "
                    "complex, also between devices under one switch")
          .default_text("false"),
      field("pcie_p2p", boolean_shape())
          .describe("whether the driver lets the GPUs reach each other over PCIe")
          .default_text("what the catalogue says of the GPU"),
      field("storage", storage_shape()).describe("where training data is read from"),
      field("leaf", count_shape(1, 100'000))
          .describe("leaf switch that the host's NICs are connected to, from 1")
          .default_text("hosts are spread over the leaves in equal blocks"),
  };
  for (Field& each : more) fields.push_back(std::move(each));
  return object_shape(std::move(fields));
}

Shape fabric_shape() {
  return object_shape({
      field("kind", enum_shape({"single-switch", "leaf-spine", "rails"}))
          .required()
          .describe("single-switch: one non-blocking switch; leaf-spine: hosts spread over "
                    "leaves; rails: the n-th NIC of every host on the n-th leaf"),
      field("leaves", count_shape(1, 100'000))
          .describe("leaf switches; of rails those of one group of hosts (see hosts_per_leaf)")
          .default_text("1; for rails one per NIC of a host"),
      field("hosts_per_leaf", count_shape(1, 100'000))
          .describe(
              "of rails: hosts that share their leaves; the next so many hosts have leaves of "
              "their own, and rails of different groups meet at the spines")
          .default_text("all hosts"),
      field("spines", count_shape(0, 100'000)).describe("spine switches").default_text("1"),
      field("host_link", rate_shape(BytesPerSecond{1}))
          .describe("rate of a switch port towards a host")
          .default_text("the NIC's port rate")
          .examples({"100 Gbit/s"}),
      field("uplink", rate_shape(BytesPerSecond{1}))
          .describe("rate of the link from one leaf to one spine")
          .default_text("enough that the leaf is not oversubscribed")
          .examples({"400 Gbit/s"}),
      field("switch", name_shape())
          .describe("network switch, by its catalogue name; gives the latency")
          .examples({"sn3700"}),
  });
}

}  // namespace vgsim::topology
