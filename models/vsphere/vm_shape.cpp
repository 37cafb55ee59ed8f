#include "models/vsphere/vm_shape.hpp"

#include "models/vsphere/device_group.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Shape gpus_shape() {
  return object_shape({
      field("mode", enum_shape({"passthrough", "vgpu"}))
          .required()
          .describe("passthrough: DirectPath I/O, static or dynamic; vgpu: time-sliced vGPU"),
      field("devices", array_shape(name_shape(), 1, 64))
          .describe("GPUs of the host, by name")
          .examples({"[\"gpu0\", \"gpu1\"]"}),
      field("count", count_shape(1, 64))
          .describe("how many of the host's free GPUs, in order")
          .default_text("all that are free"),
      field("profile", name_shape())
          .describe("vGPU profile of GPUs that are in no device group")
          .examples({"grid_a100d-80c"}),
      field("device_groups", array_shape(device_group_shape(), 1, 64))
          .describe("device groups, each taken as a whole")
          .aliases({"groups", "device_group"}),
  });
}

}  // namespace

Shape vm_shape() {
  return object_shape({
      field("host", name_shape())
          .required()
          .describe("host that runs it, by name")
          .examples({"esx01"}),
      field("vcpus", count_shape(1, 1024)).describe("virtual CPUs"),
      field("memory", bytes_shape(Bytes{1})).describe("guest memory").examples({"256 GiB"}),
      field("gpus", gpus_shape())
          .describe("the VM's GPUs")
          .default_text("all GPUs of the host in passthrough"),
      field("nics",
            map_shape("NIC of the host", enum_shape({"passthrough", "sriov", "pvrdma", "vmxnet3"})))
          .describe("the host's NICs that the VM uses, and how")
          .default_text("all NICs of the host in passthrough"),
      field("guest_topology", enum_shape({"flat", "vnuma", "topo_file"}))
          .describe("what NCCL in the guest sees of the PCIe tree: flat, one virtual root; vnuma, "
                    "the right NUMA nodes but no switches; topo_file, the host's tree, given by "
                    "NCCL_TOPO_FILE")
          .default_text("flat"),
      field("allow_p2p", boolean_shape())
          .describe("pciPassthru.allowP2P and pciPassthru.RelaxACSforP2P are set")
          .default_text("true"),
  });
}

}  // namespace vgsim::vsphere
