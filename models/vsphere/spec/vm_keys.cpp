#include "models/vsphere/spec/vm_keys.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "models/vsphere/facts/settings.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "models/vsphere/modes/nic_modes.hpp"
#include "models/vsphere/spec/host_settings_keys.hpp"
#include "topology/input/record.hpp"
#include "topology/look_up.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;
using topology::report;

/// Conflicting keys of a VM's "gpus".
void verify_gpus(const GpusSpec& gpus, const Value& at, Diagnostics& diagnostics) {
  const bool vgpu = gpus.mode->takes_profiles;
  if (gpus.devices && gpus.count) {
    report(diagnostics, *gpus.count, "\"devices\" are also given",
           "one of \"devices\" and \"count\"");
  }
  if (gpus.device_groups && !vgpu) {
    report(diagnostics, *gpus.device_groups, "GPU device groups are for vGPU",
           "\"mode\": \"vgpu\", or \"devices\"");
  }
  if (gpus.label && gpus.mode->direct_path != DirectPath::kDynamic) {
    report(diagnostics, *gpus.label, "a hardware label is for dynamic DirectPath I/O",
           "\"mode\": \"passthrough_dynamic\"");
  } else if (gpus.label && gpus.devices) {
    report(diagnostics, *gpus.label, "\"devices\" are given as well",
           "one of \"devices\" and \"label\"");
  }
  const bool alone = gpus.devices || gpus.count || !gpus.device_groups;
  if (gpus.profiles && (!vgpu || gpus.profile || gpus.devices || gpus.count)) {
    report(diagnostics, gpus.profiles->front(),
           "\"profiles\" has one entry per vGPU: it excludes passthrough, \"profile\", \"devices\" "
           "and \"count\"",
           "\"profile\" and \"count\", or \"profiles\" alone");
  }
  if (vgpu && !gpus.profile && !gpus.profiles && alone) {
    report(diagnostics, at, "a vGPU needs a profile or a device group",
           "\"profile\": \"grid_a100d-80c\" or \"device_groups\"");
  }
}

/// The modes that a VM can have, by their keys.
template <class Mode>
Decoder<const Mode*> mode_words(std::span<const Mode> modes) {
  std::vector<std::pair<std::string, const Mode*>> all;
  for (const Mode& mode : modes) {
    if (mode.key != nullptr) all.emplace_back(mode.key, &mode);
  }
  return words<const Mode*>(std::move(all));
}

std::string meanings_of_gpu_modes() {
  std::string all;
  for (const GpuMode& mode : gpu_modes()) {
    if (mode.meaning == nullptr) continue;
    all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", mode.key, mode.meaning);
  }
  return all;
}

Decoder<GpusSpec> gpus() {
  const auto group = text(kDeviceGroupNoun, kDeviceGroupPattern, &parse_device_group);
  return record<GpusSpec>(
      {
          key("mode", &GpusSpec::mode, mode_words(gpu_modes()))
              .required()
              .describe(meanings_of_gpu_modes()),
          key("devices", &GpusSpec::devices, list(placed(name()), 1, 64))
              .describe("GPUs of the host, by name")
              .examples({"[\"gpu0\", \"gpu1\"]"}),
          key("count", &GpusSpec::count, count(1, 64))
              .describe("how many GPUs, or vGPUs of the profile")
              .default_text("all free ones"),
          key("label", &GpusSpec::label, name())
              .describe("hardware label that its GPUs in dynamic DirectPath I/O must have "
                        "(\"gpu_labels\" of the hosts)")
              .default_text("any GPU")
              .examples({"training"}),
          key("profile", &GpusSpec::profile, name())
              .describe("vGPU profile of GPUs that are in no device group, as ESXi names it")
              .examples({"grid_a100d-80c"}),
          key("profiles", &GpusSpec::profiles, list(placed(name()), 1, 64))
              .describe("profiles of several different vGPUs, one entry per vGPU (8.0)")
              .examples({"[\"grid_a40-48c\", \"grid_a40-16c\"]"}),
          key("device_groups", &GpusSpec::device_groups, list(placed(group), 1, 64))
              .describe("device groups, each taken as a whole")
              .aliases({"groups", "device_group"}),
      },
      &verify_gpus);
}

Decoder<RemoteClient> remote_client() {
  return record<RemoteClient>({
      key("host", &RemoteClient::host, name())
          .required()
          .describe("host of the client")
          .examples({"esx02"}),
      key("nic", &RemoteClient::nic, name()).describe("NIC of that host").default_text("its first"),
      key("server_nic", &RemoteClient::server_nic, name())
          .describe("NIC of the host with the GPUs")
          .default_text("its first"),
      key("gpu_memory", &RemoteClient::gpu_memory, number(1e-3, 1))
          .describe("share of the memory of each GPU that the server gives this client (a partial "
                    "GPU)")
          .default_value("1")
          .examples({"0.25"}),
      key("busy_clients", &RemoteClient::busy_clients, count(0, 63))
          .describe("other clients that compute on the same GPUs all the time; the GPU serves "
                    "all in turn")
          .default_value("0")
          .examples({"3"}),
  });
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

/// The value of a .vmx setting in lower case: settings are text, but numbers and booleans
/// are accepted.
std::string text_of(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Kind::integer:
      return std::to_string(value.integer());
    default:
      break;
  }
  return in_lower_case(value.string());
}

Decoder<std::string> setting() {
  return {any_of_shape({string_shape(), boolean_shape(), count_shape(0, 1'000'000)}),
          [](const Value& value, Diagnostics&) { return text_of(value); }};
}

/// Settings that decide something, by their names in lower case. Names and kinds of values are
/// checked later, with the facts about vSphere (Settings::check).
AdvancedSettings advanced_of(const std::vector<Named<std::string>>& settings) {
  AdvancedSettings advanced;
  for (const Named<std::string>& each : settings) {
    const std::string name = in_lower_case(each.name);
    const bool on = *each == "true" || *each == "1" || *each == "yes";
    const auto number = [&] {
      std::int64_t value = 0;
      std::from_chars(each->data(), each->data() + each->size(), value);
      return value;
    };
    const auto at_most = [&](std::int64_t most) {
      if (most > 0) advanced.max_per_node = std::min(most, advanced.max_per_node.value_or(most));
    };
    if (name == "pcipassthru.use64bitmmio") advanced.wide_mmio = on;
    if (name == "pcipassthru.64bitmmiosizegb") advanced.mmio_gb = number();
    if (name == "pcipassthru.allowp2p" || name == "pcipassthru.relaxacsforp2p") {
      advanced.p2p_off |= !on;
    }
    if (name == "numa.nodeaffinity") advanced.node_affinity = numbers_of(*each);
    if (name == "sched.cpu.affinity") advanced.cpu_affinity = numbers_of(*each);
    if (name == "numa.vcpu.preferht") advanced.prefer_ht = on;
    if (name == "numa.consolidate") advanced.spread = !on;
    if (name == "sched.cpu.latencysensitivity") advanced.exclusive_cores = *each == "high";
    if (name == "numa.vcpu.min") advanced.vnuma_min = number();
    if (name == "numa.vcpu.maxpervirtualnode" || name == "numa.vcpu.maxpermachinenode" ||
        name == "numa.vcpu.maxperclient" || name == "numa.autosize.vcpu.maxpervirtualnode") {
      at_most(number());
    }
    if (name == "cpuid.corespersocket") advanced.cores_per_socket = number();
  }
  advanced.given = settings;
  return advanced;
}

Decoder<OtherDevices> other_devices() {
  const auto number = [](const char* name, std::int64_t OtherDevices::*member) {
    return key(name, member, count(0, 1000)).default_value("0");
  };
  return record<OtherDevices>({
      number("nvme", &OtherDevices::nvme),
      number("fpga", &OtherDevices::fpga),
      number("nvme_snap", &OtherDevices::nvme_snap),
      number("other", &OtherDevices::other),
  });
}

Decoder<Operation> operation() {
  std::vector<std::pair<std::string, Operation>> all;
  for (const Operation each : kOperations) all.emplace_back(to_string(each), each);
  all.emplace_back(to_string(Operation::kFaultTolerance), Operation::kFaultTolerance);
  return words<Operation>(std::move(all));
}

Keys<VmSettings> settings_keys() {
  using Settings = VmSettings;
  return {
      key("vcpus", &Settings::vcpus, count(1, 1024)).describe("virtual CPUs"),
      key("memory", &Settings::memory, bytes(Bytes{1}))
          .describe("guest memory")
          .examples({"256 GiB"}),
      key("hardware_version", &Settings::hardware_version, count(1, 100))
          .describe("version of the virtual hardware")
          .default_text("the newest of the vSphere version")
          .examples({"20"}),
      key("firmware", &Settings::efi, words<bool>({{"efi", true}, {"bios", false}}))
          .describe("firmware")
          .default_value("efi"),
      key("memory_reserved", &Settings::memory_reserved, boolean())
          .describe("all guest memory is reserved")
          .default_value("true"),
      key("unified_memory", &Settings::unified_memory, boolean())
          .describe("CUDA unified memory is on for its vGPUs (pciPassthruN.cfg.enable_uvm)")
          .default_value("false"),
      key("guest_os", &Settings::linux_guest, words<bool>({{"linux", true}, {"windows", false}}))
          .default_value("linux"),
      key("guest_driver", &Settings::guest_driver, driver_release())
          .describe("release of the vGPU guest driver")
          .examples({"15.2"}),
      key("advanced", &Settings::advanced,
          changed(named("name of the setting", setting()), &advanced_of))
          .describe("advanced settings under their own names, as numa.nodeAffinity; "
                    "configs/vsphere/settings.json says what each does")
          .default_text("64-bit MMIO on, and as large as the GPUs need"),
      key("other_devices", &Settings::other_devices, other_devices())
          .describe("further PCI devices in passthrough, by kind"),
      key("requires", &Settings::required, list(operation()))
          .describe("operations that must work for this VM"),
      key("direct_path", &Settings::direct_path,
          words<DirectPath>({{"static", DirectPath::kStatic}, {"dynamic", DirectPath::kDynamic}}))
          .describe("kind of DirectPath I/O of NICs and other devices: static (of one host) or "
                    "dynamic (any of a kind; 7.0 and virtual hardware 17)")
          .default_text("as for its GPUs, otherwise dynamic if the version supports it"),
      key("framebuffer_used", &Settings::framebuffer_used, bytes(Bytes{1}))
          .describe("used framebuffer of each of its vGPUs at a vMotion")
          .default_text("the whole profile")
          .examples({"40 GB"}),
      key("framebuffer_static", &Settings::framebuffer_static, bytes(Bytes{0}))
          .describe("part of it that the guest does not write (such as weights in inference), "
                    "which vMotion of 9.0 copies before the stun")
          .default_value("0 B"),
      key("stun_limit", &Settings::stun_limit, time())
          .describe("longest time that vMotion may stun the VM")
          .examples({"100 s"}),
      key("gpu_load", &Settings::gpu_load, number(0.0, 1.0))
          .describe("share of the time in which it uses its vGPUs, for others on the same GPU")
          .default_text("1"),
      key("gpu_burst", &Settings::gpu_burst, time(SimTime{1'000'000}))
          .describe("length of each burst of work, if gpu_load is below 1: seconds for a notebook "
                    "cell, milliseconds for an inference request")
          .default_text("parameter neighbour_burst")
          .examples({"3 s"}),
      key("cpu_hot_add", &Settings::cpu_hot_add, boolean())
          .describe("vCPUs can be added while it runs, which switches off vNUMA")
          .default_value("false"),
      key("power_on", &Settings::power_on, count(0, 1'000'000))
          .describe("VMs with lower numbers are powered on, and get their devices, first")
          .default_value("0"),
  };
}

}  // namespace

Decoder<ClusterSettings> cluster_decoder() {
  using Settings = ClusterSettings;
  return record<Settings>({
      key("PassthroughDrsAutomation", &Settings::passthrough_drs_automation, count(0, 1))
          .describe("advanced option of DRS: 1 lets it move VMs with vGPUs (8.0U2)"),
      key("LBMaxVmotionPerHost", &Settings::lb_max_vmotion_per_host, count(0, 1000))
          .describe("advanced option of DRS: migrations of a host at a time; 1 for VMs with vGPUs"),
      key("VmDevicesStunTimeTolerated", &Settings::stun_time_tolerated, time())
          .describe("advanced option of DRS: the stun limit of VMs without a stated one")
          .default_text("100 s")
          .examples({"300 s"}),
      key("VgpuMMAutomationTimeoutSecs", &Settings::vgpu_evacuation_timeout, count(-1, 1'000'000))
          .describe(
              "advanced option of DRS: -1 lets maintenance mode move VMs with vGPUs (7.0U3f)"),
      key("vgpu.hotmigrate.enabled", &Settings::hot_migrate, boolean())
          .describe("advanced setting of vCenter that vMotion of vGPUs needs"),
  });
}

Decoder<VmSpec> vm_decoder() {
  const auto guest_topology = words<GuestTopology>({{"flat", GuestTopology::kFlat},
                                                    {"vnuma", GuestTopology::kVnuma},
                                                    {"topo_file", GuestTopology::kTopoFile}});
  Keys<VmSpec> keys{
      key("host", &VmSpec::host, name())
          .describe("host that runs it, by name")
          .default_text("the host that vSphere would place it on")
          .examples({"esx01"}),
      key("gpus", &VmSpec::gpus, gpus())
          .describe("the VM's GPUs")
          .default_text("all GPUs of the host in passthrough"),
      key("nics", &VmSpec::nics, named("NIC of the host", mode_words(nic_modes())))
          .describe("NICs of the host that the VM uses, with their kinds")
          .default_text("all NICs of the host in passthrough"),
      key("guest_topology", &VmSpec::guest_topology, guest_topology)
          .describe("PCIe tree in the guest, as detected by NCCL: flat, one virtual root; vnuma, "
                    "the right NUMA nodes but no switches; topo_file, the host's tree, given by "
                    "NCCL_TOPO_FILE")
          .default_value("flat"),
      key("allow_p2p", &VmSpec::allow_p2p, boolean())
          .describe("pciPassthru.allowP2P and pciPassthru.RelaxACSforP2P are set")
          .default_value("true"),
      key("remote_client", &VmSpec::remote_client, remote_client())
          .describe("the job's process runs in a client on another host, and its CUDA calls and "
                    "input cross the network, as with Bitfusion")
          .default_text("the process runs in this VM"),
  };
  add_keys(keys, &VmSpec::settings, settings_keys());
  return record<VmSpec>(std::move(keys));
}

}  // namespace vgsim::vsphere
