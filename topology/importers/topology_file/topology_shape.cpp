#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::inventory {
namespace {

using namespace input;

Shape link_shape() {
  return pattern_string("a PCIe link such as \"Gen5 x16\"", "^Gen[1-7] x([1-9]|[12][0-9]|3[0-2])$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (parse_pcie_width(text)) return std::nullopt;
                          return "a PCIe link such as \"Gen5 x16\"";
                        });
}

Shape bus_id_shape() {
  return pattern_string("a PCI address such as \"0000:3b:00.0\"",
                        "^[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (!normalized_bus_id(text).empty()) return std::nullopt;
                          return "a PCI address such as \"0000:3b:00.0\"";
                        });
}

Shape step_shape() {
  return pattern_string("a GPU or NET such as \"gpu3\"", "^(gpu|net)[0-9]{1,13}$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (text.size() <= 16 && parse_step(text)) return std::nullopt;
                          return "a GPU or NET such as \"gpu3\"";
                        });
}

Field from_field() {
  return field("from", any_of_shape(
                           {string_shape(), map_shape("key, or * for all others", string_shape())}))
      .describe("source file of the values here")
      .default_text("as of the object around it")
      .examples({"host.xml"});
}

Field not_told_field() {
  return field("not_told", array_shape(string_shape()))
      .describe("facts that none of the files contains; for people only");
}

Field passed_on_field() {
  return field("nccl", map_shape("attribute of an NCCL file", string_shape()))
      .describe("attributes that are only copied");
}

Shape text() { return string_shape(); }
Shape count() { return count_shape(0); }

Shape numa_node_shape() {
  return object_shape({
      field("name", name_shape()).required().examples({"numa0"}),
      field("id", count()).describe("number of the system"),
      field("socket", count()).describe("its socket, from 0"),
      field("cpus", text()).describe("its CPUs").examples({"0-23,48-71"}),
      field("affinity", text()).describe("its CPUs as NCCL writes them, a mask in hex"),
      field("arch", text()).examples({"x86_64"}),
      field("cpu_vendor", text()).examples({"GenuineIntel"}),
      field("cpu_family", count_shape(-1)),
      field("cpu_model", count_shape(-1)),
      field("cpu", text()).describe("name of the processor"),
      field("cores", count()),
      field("memory", bytes_shape()),
      field("host_hash", text()),
      not_told_field(),
      from_field(),
  });
}

Shape nvlink_shape() {
  return object_shape({
      field("to", bus_id_shape())
          .required()
          .describe("bus id of the peer")
          .examples({"0000:c4:00.0"}),
      field("class", text()).describe("PCI class of the peer").examples({"068000"}),
      field("count", count()).required().describe("links to it"),
      field("bandwidth", rate_shape()).describe("of one link and direction"),
      from_field(),
  });
}

Shape c2c_shape() {
  return object_shape({
      field("count", count()).required(),
      field("bandwidth", rate_shape()).required().describe("of one link"),
      from_field(),
  });
}

Shape port_shape() {
  return object_shape({
      field("name", text()).examples({"mlx5_0"}),
      field("dev", count()).describe("NCCL's number"),
      field("speed", rate_shape()).examples({"200 Gbit/s"}),
      field("port", count_shape(-1)),
      field("guid", text()),
      field("maxconn", count()),
      field("latency", time_shape()),
      field("gdr", boolean_shape()).describe("GPUDirect RDMA"),
      field("coll", boolean_shape()).describe("in-network reduction"),
      field("keep", boolean_shape()).describe("a manual entry in a file for NCCL"),
      passed_on_field(),
      from_field(),
  });
}

Shape vgpu_shape() {
  return object_shape({
      field("profile", text()).required().examples({"grid_a100d-80c"}),
      field("vm", text()),
  });
}

std::vector<Field> pci_fields() {
  return {
      field("name", name_shape()).required().describe("unique in this file"),
      field("kind", enum_shape(device_kind_words())).required(),
      field("under", name_shape())
          .describe("the device or NUMA node that it is attached to")
          .default_text("its place is unknown"),
      field("without_pcie", boolean_shape())
          .describe("a NIC with a known NUMA node but an unknown PCI device")
          .default_text("false"),
      field("bus_id", bus_id_shape()).examples({"0000:3b:00.0"}),
      field("model", name_shape())
          .describe("its name in the catalogue; add it where no dump contains it")
          .default_text("found by its ids and name"),
      field("product", text()).describe("its name in the dump"),
      field("pci_class", text()).examples({"030200"}),
      field("pci_id", text()).describe("vendor and device").examples({"10de:20b2"}),
      field("subsystem", text()).examples({"10de:1463"}),
      field("driver", text()),
      field("link", link_shape()).describe("capability of the link above it"),
      field("link_now", link_shape()).describe("state of that link, possibly idle"),
      field("nccl_link_speed", text()).describe("the same in the notation of an NCCL file"),
      field("nccl_link_width", count_shape(0, 32)),
      field("numa_node", count_shape(-1)).describe("as stated for the device itself"),
      field("cpus", text()).describe("CPUs near it"),
      field("bridge", text()).describe("bus id of the bridge above it, where the tree is unknown"),
      field("root_complex", text()).describe("domain and bus of it").examples({"0000:16"}),
      field("acs_redirect", boolean_shape())
          .describe("sends peer-to-peer traffic through the root complex"),
      field("slot", text()),
      field("passthrough", boolean_shape()).describe("ESXi gives it to VMs"),
      field("virtual_functions", count()).describe("SR-IOV: functions that are enabled"),
  };
}

Shape device_shape() {
  std::vector<Field> fields = pci_fields();
  for (Field& more : std::vector<Field>{
           field("index", count()).describe("NVML's number of a GPU"),
           field("uuid", text()),
           field("sm", count()).describe("10 x compute capability"),
           field("gcn", text()).describe("AMD's architecture").examples({"gfx942"}),
           field("rank", count_shape(-1)),
           field("gdr", boolean_shape()).describe("GPUDirect RDMA was available"),
           field("memory", bytes_shape()),
           field("module_id", count()).describe("place on the baseboard"),
           field("virtualization", text()).examples({"Pass-Through"}),
           field("mig", boolean_shape()),
           field("memory_numa_node", count()).describe("of its memory"),
           field("nvlinks", array_shape(nvlink_shape())),
           field("xgmi", boolean_shape()).describe("its links are AMD's").default_text("false"),
           field("nvlinks_up", count()).describe("number of active links, to any device"),
           field("c2c", array_shape(c2c_shape())).describe("coherent links to the CPU"),
           field("vgpus", array_shape(vgpu_shape())),
           field("ports", array_shape(port_shape())).describe("of a NIC"),
           passed_on_field(),
           not_told_field(),
           from_field(),
       }) {
    fields.push_back(std::move(more));
  }
  return object_shape(std::move(fields));
}

Shape matrix_shape() {
  return object_shape({
      field("names", array_shape(text())).required().examples({"[\"GPU0\", \"GPU1\"]"}),
      field("rows", array_shape(array_shape(text()))).required(),
      field("cpus", array_shape(text())),
      field("numa", array_shape(text())),
      field("nics", map_shape("name in the matrix", text())),
      from_field(),
  });
}

Shape graph_shape() {
  return object_shape({
      field("id", count()).required(),
      field("pattern", count()).required(),
      field("cross_nic", count_shape(-1)),
      field("speed_intra", number_shape(0)).required().describe("GB/s of a channel"),
      field("speed_inter", number_shape(0)),
      field("latency_inter", number_shape(0)).describe("us"),
      field("type_intra", text()),
      field("type_inter", text()),
      field("same_channels", boolean_shape()),
      field("channels", array_shape(array_shape(step_shape()))).required(),
  });
}

}  // namespace

Shape topology_shape() {
  return object_shape({
      field("format", enum_shape({kTopologyFormat})).required(),
      field("name", text()).describe("of the host"),
      field("object_id", text()).describe("in vSphere").examples({"host-25"}),
      field("vendor", text()).examples({"Dell Inc."}),
      field("product", text()).examples({"PowerEdge XE8545"}),
      field("hypervisor", text()),
      field("driver", text()).describe("NVIDIA's"),
      field("cpu", text()),
      field("sockets", count()),
      field("cores", count()),
      field("threads", count()),
      field("memory", bytes_shape()),
      field("nccl_version", count()).describe("1: written by NCCL, 2: by RCCL"),
      field("numa_nodes", array_shape(numa_node_shape(), 0, 1024)).required(),
      field("devices", array_shape(device_shape(), 0, 8192)).required(),
      field("matrix", matrix_shape()).describe("matrix of nvidia-smi topo -m"),
      field("nccl_graphs", array_shape(graph_shape()))
          .describe("rings and trees that NCCL chose on it"),
      field("device_groups", array_shape(text())),
      field("vgpu_profiles", array_shape(text())),
      field("assumed", array_shape(text())).describe("inferred facts and their sources"),
      field("skipped", array_shape(text())).describe("omitted parts of the dumps, and the reasons"),
      not_told_field(),
      from_field(),
  });
}

}  // namespace vgsim::topology::inventory
