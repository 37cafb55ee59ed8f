#include "topology/catalog/catalog_shapes.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include "topology/catalog/part_fit.hpp"

namespace vgsim::topology {
namespace {

using namespace input;

Shape generation() { return count_shape(1, 9); }
Shape share() { return number_shape(0.0, 1.0); }
Shape count() { return count_shape(0, 100'000); }
Shape positive_rate() { return rate_shape(BytesPerSecond{1}); }
Shape pci_ids() { return array_shape(string_shape(), 1, 64); }

Field named() { return field("name", name_shape()).required().describe("marketing name"); }

Field aliases() {
  return field("aliases", array_shape(name_shape(), 1, 16)).describe("other names");
}

Field must(const char* name, Shape shape, const char* meaning) {
  return field(name, sourced(shape)).required().describe(meaning);
}

Field may(const char* name, Shape shape, const char* meaning) {
  return field(name, sourced(shape)).describe(meaning);
}

Field source_field() {
  return field("source", name_shape()).required().describe("key of the file's sources");
}

Shape card_size() { return enum_shape(card_size_words()); }

Shape gpu_shape() {
  return object_shape({
      named(),
      aliases(),
      may("pci_ids", pci_ids(), "PCI vendor:device identifiers"),
      may("driver_name", string_shape(), "name in the driver and nvidia-smi"),
      must("compute_capability", count(), "10 x major + minor"),
      field("validated_by", array_shape(name_shape(), 1))
          .describe("at most three cases of measured training jobs on it"),
      may("sm_count", count(), "streaming multiprocessors"),
      must("memory", bytes_shape(), "device memory"),
      must("memory_bandwidth", positive_rate(), "device memory bandwidth"),
      may("l2_cache", bytes_shape(), "second-level cache"),
      may("peak_fp32", flops_rate_shape(), "dense FP32 peak"),
      may("peak_tf32", flops_rate_shape(), "dense TF32 tensor peak"),
      may("peak_fp16", flops_rate_shape(), "dense FP16 and BF16 tensor peak"),
      may("peak_fp8", flops_rate_shape(), "dense FP8 tensor peak; MXFP8 on Blackwell"),
      may("peak_nvfp4", flops_rate_shape(), "dense NVFP4 tensor peak"),
      may("form_factor", name_shape(), "pcie for a card, or the name of its socket: sxm5"),
      may("card_width", count_shape(1, 4), "width of a PCIe card in slots: 2 for double width"),
      may("card_size", card_size(), "height and length of a PCIe card"),
      must("pcie_generation", generation(), "PCIe generation"),
      must("pcie_lanes", count(), "PCIe lanes"),
      may("pcie_peer_to_peer", boolean_shape(),
          "whether the driver allows peer-to-peer access over PCIe; true by default"),
      may("nvlink_generation", generation(), "NVLink generation"),
      may("nvlink_links", count(), "NVLink links"),
      may("bridge_gpus", count(), "number of GPUs on the largest NVLink bridge; 2 by default"),
      may("nvlink_bandwidth_per_link", positive_rate(), "if it differs from the generation's"),
      may("tdp_watts", number_shape(1.0, 1e5), "thermal design power, in watts"),
      may("mig_instances", count(), "most MIG instances"),
      may("bar1", bytes_shape(), "BAR1 aperture"),
      may("onboard_nic", name_shape(), "NIC on the same card, behind a PCIe switch with the GPU"),
      may("successor", name_shape(), "faster GPU for the same slots, which advice tries instead"),
  });
}

Shape nic_shape() {
  return object_shape({
      named(),
      aliases(),
      may("pci_ids", pci_ids(), "PCI vendor:device identifiers"),
      must("ports", count(), "ports of the card"),
      must("port_rate", positive_rate(), "line rate of one port"),
      may("form_factors", array_shape(name_shape(), 1, 8),
          "form factors: pcie, ocp3, rndc (Dell's rack network daughter card) ..."),
      must("pcie_generation", generation(), "PCIe generation"),
      must("pcie_lanes", count(), "PCIe lanes"),
      must("rdma", boolean_shape(), "whether it does RDMA"),
      must("link_layer", enum_shape({"ethernet", "infiniband", "both"}), "link layer"),
      must("payload_efficiency", share(), "payload rate as a share of the line rate"),
      must("latency", time_shape(), "one way, card and driver, small message"),
      may("net", enum_shape({"ib", "socket", "efa", "tcpx", "tcpxo", "ofi"}),
          "NCCL's network or plug-in for it; by default ib for RDMA, otherwise socket"),
      may("gdr", boolean_shape(), "whether it supports GPUDirect RDMA; by default as rdma"),
      may("dpu", boolean_shape(), "whether it is a DPU; false by default"),
      may("nccl_protocols", enum_shape({"Simple", "Simple,LL128"}),
          "NCCL protocols that its plug-in allows (NCCL_PROTO); all by default"),
      may("nccl_algorithms", enum_shape({"Ring", "Ring,Tree"}),
          "NCCL algorithms that its plug-in or its maker's settings allow (NCCL_ALGO); all by "
          "default"),
      may("plugin_since", string_shape(),
          "first NCCL release that was used with such a plug-in; older ones use everything"),
      may("upgrade", boolean_shape(),
          "whether advice tries it instead of slower ones; false by default"),
  });
}

Shape cpu_shape() {
  const Shape cpuid =
      object_shape({field("family", count()).required(), field("model", count()).required()});
  return object_shape({
      named(),
      aliases(),
      must("vendor", enum_shape({"intel", "amd", "nvidia", "ibm"}), "maker"),
      may("nccl_family", string_shape(), "NCCL's name for it"),
      must("memory_bandwidth", positive_rate(), "of one socket, theoretical"),
      must("memory_efficiency", share(), "achieved share of it"),
      must("socket_link", string_shape(), "what joins sockets"),
      must("socket_links", count(), "links between two sockets"),
      must("socket_link_bandwidth", positive_rate(), "of one link"),
      must("socket_link_efficiency", share(), "achieved share of it"),
      must("root_complexes", count(), "x16 blocks of a socket"),
      must("pcie_generation", generation(), "PCIe generation"),
      may("cpuid", array_shape(cpuid, 1, 16), "family and model numbers in dumps"),
      may("products", array_shape(string_shape(), 1, 16),
          "substring of its model names; ? matches a digit"),
      may("numa_nodes_per_socket", array_shape(count_shape(1, 16), 1, 8),
          "possible NUMA nodes per socket, set in the BIOS (NPS, SNC, cluster on die); 1 by "
          "default"),
      may("pcie_lanes", count_shape(1, 1024),
          "PCIe lanes of a socket, in the family's largest model"),
      may("pcie_lanes_beside_others", count_shape(1, 1024),
          "PCIe lanes per socket of a host with several sockets, if links between sockets use "
          "some; pcie_lanes by default"),
      may("most_cores", count_shape(1, 1024), "cores of a socket, in the family's largest model"),
      may("single_thread", number_shape(100, 20'000),
          "single-thread rating of PassMark, of the usual model of the family: how fast a process "
          "launches kernels"),
      may("node_link_bandwidth", positive_rate(),
          "between two NUMA nodes of a socket; unlimited by default"),
      may("translated_staging_efficiency", number_shape(0.01, 2.0),
          "kernel_staging_efficiency of PCIe where the IOMMU translates addresses; the same by "
          "default"),
  });
}

Shape switch_shape() {
  return object_shape({
      named(),
      aliases(),
      must("ports", count(), "ports"),
      must("port_rate", positive_rate(), "line rate of one port"),
      may("latency", time_shape(), "port to port"),
      may("in_network_reduction", string_shape(), "reduction engine"),
  });
}

Shape pcie_shape() {
  return object_shape({
      named(),
      aliases(),
      must("generation", generation(), "PCIe generation"),
      must("lane_rate", positive_rate(), "one lane, after line encoding"),
      must("payload_efficiency", share(), "share left after packet headers"),
      must("hop_latency", time_shape(), "one way through a switch or root port"),
      must("root_forward_efficiency", number_shape(0.01, 2.0),
           "peer-to-peer traffic through a root port, both directions together, as a share of the "
           "line rate of one"),
      must("root_exchange_efficiency", number_shape(0.01, 2.0),
           "the same if every peer exchanges data with several others at once"),
      must("root_translation_efficiency", number_shape(0.01, 2.0),
           "the same if the IOMMU translates the addresses of each request"),
      must("kernel_staging_efficiency", number_shape(0.01, 2.0),
           "traffic of GPU kernels to host memory through a root port, both directions together, "
           "as a share of the line rate of one"),
  });
}

Shape nvlink_shape() {
  return object_shape({
      named(),
      aliases(),
      must("generation", generation(), "generation"),
      may("link_bandwidth", positive_rate(), "of one link"),
      may("payload_efficiency", share(), "payload share"),
      may("hop_latency", time_shape(), "one way between two devices"),
      may("ports", count(), "ports of an NVSwitch"),
      may("port_bandwidth", positive_rate(), "of one port of an NVSwitch"),
      may("latency", time_shape(), "through an NVSwitch"),
      may("in_network_reduction", string_shape(), "reduction engine"),
  });
}

std::vector<Field> attachment_fields() {
  return {
      field("under", name_shape()).required().describe("root complex or PCIe switch above it"),
      field("pcie_generation", generation()).required(),
      field("lanes", count_shape(1, 32)).required(),
      source_field(),
      field("note", string_shape()),
  };
}

Shape attachment_shape() { return object_shape(attachment_fields()); }

Shape nic_slot_shape() {
  std::vector<Field> fields = attachment_fields();
  fields.push_back(may("form_factor", name_shape(), "of the NICs that it accepts"));
  return object_shape(std::move(fields));
}

Shape server_shape() {
  const Shape root_complex = object_shape({
      field("socket", count_shape(0, 63)).required(),
      field("numa_node", count_shape(0, 15))
          .describe("NUMA node inside the socket")
          .default_text("0"),
      field("quadrant", count_shape(0, 3))
          .describe("quarter of the socket: the NUMA node with four nodes per socket; with two "
                    "nodes, 0 and 1 are one, and 2 and 3 the other")
          .default_text("not known"),
      source_field(),
      field("note", string_shape()),
  });
  return object_shape({
      named(),
      aliases(),
      must("cpu", name_shape(), "CPU, by its catalogue name"),
      must("sockets", count_shape(1, 64), "CPU sockets"),
      may("numa_nodes_per_socket", count_shape(1, 16), "NUMA nodes of a socket; 1 by default"),
      field("root_complexes", map_shape("name of a root complex", root_complex, 1)).required(),
      field("pcie_switches", map_shape("name of a PCIe switch", attachment_shape())),
      field("gpu_slots", array_shape(attachment_shape(), 0, 128))
          .required()
          .describe("slots for GPUs, in the order of GPU numbers"),
      field("nic_slots", map_shape("name of a slot", nic_slot_shape())).required(),
      field("nvme", attachment_shape()).describe("local drive"),
      field("nvlink", nvlink_layout_shape(true)).required(),
      may("default_gpu", name_shape(), "default GPU of a scenario"),
      may("gpu_form_factors", array_shape(name_shape(), 1, 8),
          "of the GPUs that it accepts; any by default"),
      may("gpu_slot_width", count_shape(1, 4), "maximum width of a GPU in single slots"),
      may("gpu_slot_size", card_size(), "of the largest card that a GPU slot takes"),
      may("gpu_slot_watts", number_shape(1.0, 1e5), "maximum power of a GPU in a slot"),
      may("other_lanes", string_shape(),
          "consumers of CPU PCIe lanes other than the slots here: drives, boot, management"),
  });
}

Shape board_shape() {
  return object_shape({
      named(),
      field("gpus", array_shape(name_shape(), 1, 32))
          .required()
          .describe("GPUs made for it, by their catalogue names"),
      field("count", count_shape(2, 1024)).required().describe("GPUs on it"),
      field("cpu_vendor", name_shape()).describe("CPU vendor, if it is made for one only"),
      field("nvlink", nvlink_layout_shape(true)).required(),
  });
}

Shape dataset_shape() {
  return object_shape({
      named(),
      aliases(),
      must("samples", count_shape(1), "training samples"),
      may("stored_bytes_per_sample", bytes_shape(), "mean, as stored"),
  });
}

const std::vector<std::pair<std::string, Shape (*)()>>& kinds() {
  static const std::vector<std::pair<std::string, Shape (*)()>> table = {
      {"gpus", gpu_shape},        {"nics", nic_shape},       {"cpus", cpu_shape},
      {"switches", switch_shape}, {"pcie", pcie_shape},      {"nvlink", nvlink_shape},
      {"boards", board_shape},    {"servers", server_shape}, {"datasets", dataset_shape}};
  return table;
}

}  // namespace

Shape sourced(const Shape& value) {
  return object_shape({
      field("value", value).required(),
      source_field(),
      field("low", value).describe("low end of the spread"),
      field("high", value).describe("high end of the spread"),
      field("note", string_shape()),
  });
}

Shape sources_shape() {
  const Shape source = object_shape({
      field("title", string_shape()).required(),
      field("url", string_shape()),
      field("evidence", enum_shape({"datasheet", "measured", "fitted", "documentation", "derived",
                                    "recalled", "assumed"}))
          .required()
          .describe("kind of evidence: fitted to measurements, derived from other values, recalled "
                    "and not yet verified ..."),
      field("date", string_shape()).describe("of the look-up or measurement"),
  });
  return map_shape("key that values name as their source", source, 1);
}

Shape nvlink_layout_shape(bool source_required) {
  const Field source = source_required ? source_field() : field("source", string_shape());
  const Field note = field("note", string_shape());
  const auto kind = [](const char* word) { return field("kind", enum_shape({word})).required(); };
  const Shape pair = array_shape(count_shape(0, 63), 2, 2);
  return any_of_shape({
      object_shape({kind("none"), field("source", string_shape()), note}),
      object_shape(
          {kind("bridge"), field("pairs", array_shape(pair, 1, 64)).required(), source, note}),
      object_shape(
          {kind("mesh"), field("links_per_pair", count_shape(1, 18)).required(), source, note}),
      object_shape({kind("nvswitch"), field("switch", name_shape()).required(),
                    field("count", count_shape(1, 64)), source, note}),
      object_shape(
          {kind("matrix"),
           field("links", array_shape(array_shape(count_shape(0, 18), 1, 64), 1, 64)).required(),
           source, note}),
  });
}

const std::vector<std::string>& catalog_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& [name, shape] : kinds()) result.push_back(name);
    return result;
  }();
  return names;
}

Shape catalog_file_shape(const std::string& kind) {
  for (const auto& [name, shape] : kinds()) {
    if (name != kind) continue;
    return object_shape({
        field("kind", enum_shape({name})).required(),
        field("sources", sources_shape()).required(),
        field("entries", map_shape("catalogue name", shape(), 1)).required(),
    });
  }
  throw std::out_of_range("unknown catalogue kind " + kind);
}

Shape catalog_shape() {
  std::vector<Shape> alternatives;
  for (const std::string& kind : catalog_kinds()) alternatives.push_back(catalog_file_shape(kind));
  return any_of_shape(std::move(alternatives));
}

}  // namespace vgsim::topology
