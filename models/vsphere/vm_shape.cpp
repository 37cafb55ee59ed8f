#include "models/vsphere/vm_shape.hpp"

#include "models/vsphere/device_group.hpp"
#include "models/vsphere/vm_settings.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Shape gpus_shape() {
  return object_shape({
      field("mode",
            enum_shape({"passthrough", "passthrough_static", "passthrough_dynamic", "vgpu"}))
          .required()
          .describe("passthrough: DirectPath I/O, static (a device of one host) or dynamic (any "
                    "device of a kind); vgpu: time-sliced or MIG-backed vGPU, as its profile says"),
      field("devices", array_shape(name_shape(), 1, 64))
          .describe("GPUs of the host, by name")
          .examples({"[\"gpu0\", \"gpu1\"]"}),
      field("count", count_shape(1, 64))
          .describe("how many GPUs, or vGPUs of the profile")
          .default_text("all that are free"),
      field("profile", name_shape())
          .describe("vGPU profile of GPUs that are in no device group, as ESXi names it")
          .examples({"grid_a100d-80c"}),
      field("device_groups", array_shape(device_group_shape(), 1, 64))
          .describe("device groups, each taken as a whole")
          .aliases({"groups", "device_group"}),
  });
}

Shape remote_client_shape() {
  return object_shape({
      field("host", name_shape()).required().describe("host of the client").examples({"esx02"}),
      field("nic", name_shape()).describe("NIC of that host").default_text("its first"),
      field("server_nic", name_shape())
          .describe("NIC of the host with the GPUs")
          .default_text("its first"),
  });
}

}  // namespace

Shape vm_shape() {
  std::vector<Field> fields{
      field("host", name_shape())
          .describe("host that runs it, by name")
          .default_text("the host that vSphere would place it on")
          .examples({"esx01"}),
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
      field("remote_client", remote_client_shape())
          .describe("the job's process runs in a client on another host, and its CUDA calls and "
                    "input cross the network, as with Bitfusion")
          .default_text("the process runs in this VM"),
  };
  for (Field& more : vm_settings_fields()) fields.push_back(std::move(more));
  return object_shape(std::move(fields));
}

}  // namespace vgsim::vsphere
