#include "models/vsphere/import/vm_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "models/vsphere/import/scenario_hosts.hpp"
#include "models/vsphere/import/vm_sentences.hpp"

namespace vgsim::vsphere::import {
namespace {

using Json = nlohmann::ordered_json;
namespace inventory = topology::inventory;

bool is_nvidia(const VmPciDevice& pci) {
  if (pci.vendor) return pci.vendor->value == "10de";
  return std::ranges::any_of(pci.allowed,
                             [](const std::string& id) { return id.starts_with("10de:"); });
}

/// Whether it is function 0 of its card, which a GPU is; others are its audio or USB.
bool is_first_function(const VmPciDevice& pci) {
  return pci.bus_id && pci.bus_id->value.ends_with(".0");
}

void mark_fixed_gpus(const VmFacts& vm, ScenarioHosts& hosts) {
  const auto host = hosts.host_of(vm);
  if (!host) return;
  for (const VmPciDevice& pci : vm.pci) {
    if (pci.kind != PciKind::kPassthrough || !pci.bus_id) continue;
    const auto* found = hosts.device(*host, pci.bus_id->value);
    if (found != nullptr) hosts.mark_taken(*host, found->name);
  }
}

/// Devices of a VM can be named in a scenario only if its host is known: then a
/// bus id is a GPU or a NIC of it. Without the host, function 0 of an NVIDIA device is taken for a
/// GPU. A scenario has one mode for the GPUs of a VM: devices of other modes are reported as
/// skipped.
class VmWriter {
 public:
  VmWriter(const VmFacts& vm, std::string name, ScenarioHosts& hosts, VmSentences& sentences)
      : vm_(vm), name_(std::move(name)), hosts_(hosts), sentences_(sentences) {}

  Json write() {
    host_ = hosts_.host_of(vm_);
    if (host_) {
      json_["host"] = hosts_.name(*host_);
    } else if (vm_.host) {
      json_["host"] = vm_.host->value;
    }
    write_gpus();
    write_nics();
    write_settings();
    return std::move(json_);
  }

 private:
  void assume(const std::string& what) { sentences_.assumed.add(name_, what); }
  void skip(const std::string& what) { sentences_.skipped.add(name_, what); }

  void write_gpus() {
    std::vector<std::string> fixed;
    std::vector<const VmPciDevice*> dynamic;
    for (const VmPciDevice& pci : vm_.pci) {
      switch (pci.kind) {
        case PciKind::kPassthrough:
          sort_fixed(pci, fixed, dynamic);
          break;
        case PciKind::kDynamicPassthrough:
          sort_dynamic(pci, dynamic);
          break;
        case PciKind::kVgpu:
          vgpus_.push_back(&pci);
          break;
        case PciKind::kSriov:
          add_sriov(pci);
          break;
        case PciKind::kDvx:
          skip(fmt::format("{} is a device of the class {}, which is not modelled", pci.label,
                           pci.device_class ? pci.device_class->value : "(unknown)"));
          break;
      }
    }
    if (!vgpus_.empty()) return write_vgpus(fixed.size() + dynamic.size() + unseen_gpus_);
    if (unseen_gpus_ > 0) {
      json_["gpus"] = {{"mode", "passthrough_static"}, {"count", unseen_gpus_ + dynamic.size()}};
      assume("its host is not among the files; NVIDIA functions with number 0 are taken as GPUs");
      return;
    }
    if (!fixed.empty()) {
      choose(dynamic, fixed);
      json_["gpus"] = {{"mode", "passthrough_static"}, {"devices", fixed}};
    } else if (!dynamic.empty()) {
      json_["gpus"] = {{"mode", "passthrough_dynamic"}, {"count", dynamic.size()}};
    }
  }

  /// GPUs in dynamic passthrough beside static ones get one each: a scenario has one mode per VM.
  void choose(const std::vector<const VmPciDevice*>& dynamic, std::vector<std::string>& fixed) {
    for (const VmPciDevice* pci : dynamic) {
      const std::string gpu = hosts_.take_gpu(*host_, pci->allowed);
      if (gpu.empty()) {
        skip(fmt::format("{} in dynamic passthrough: no GPU of its kind is free", pci->label));
        continue;
      }
      fixed.push_back(gpu);
      assume(
          fmt::format("{} in dynamic passthrough is {}, as one in static passthrough: a scenario "
                      "has one mode per VM",
                      pci->label, gpu));
    }
  }

  void write_vgpus(std::size_t passed_through) {
    if (passed_through > 0)
      skip("GPUs in passthrough in addition to vGPUs: a scenario has one mode per VM");
    Json gpus = {{"mode", "vgpu"}};
    std::set<std::int64_t> grouped;
    std::set<std::string> profiles;
    std::size_t single = 0;
    for (const VmPciDevice* pci : vgpus_) {
      if (pci->group && vm_.device_groups.contains(pci->group->value)) {
        grouped.insert(pci->group->value);
        continue;
      }
      ++single;
      if (pci->profile) profiles.insert(pci->profile->value);
    }
    Json groups = Json::array();
    for (const std::int64_t group : grouped) groups.push_back(vm_.device_groups.at(group).value);
    if (!groups.empty()) gpus["device_groups"] = std::move(groups);
    if (single > 0 && !profiles.empty()) {
      gpus["profile"] = *profiles.begin();
      if (grouped.empty()) gpus["count"] = single;
      if (profiles.size() > 1) {
        skip(fmt::format("vGPUs of {}: a scenario has one profile per VM; the first is used",
                         fmt::join(profiles, ", ")));
      }
    }
    json_["gpus"] = std::move(gpus);
  }

  void sort_fixed(const VmPciDevice& pci, std::vector<std::string>& gpus,
                  std::vector<const VmPciDevice*>& dynamic) {
    const ScenarioHosts::Found* found =
        host_ && pci.bus_id ? hosts_.device(*host_, pci.bus_id->value) : nullptr;
    if (found != nullptr && found->device->kind == inventory::DeviceKind::kGpu) {
      gpus.push_back(found->name);
    } else if (found != nullptr && found->device->kind == inventory::DeviceKind::kNic) {
      nics_[found->name] = "passthrough";
    } else if (!host_ && is_nvidia(pci) && is_first_function(pci)) {
      ++unseen_gpus_;
    } else if (found == nullptr && is_nvidia(pci) && is_first_function(pci)) {
      dynamic.push_back(&pci);
      assume(
          fmt::format("{} passes through {}, which its host does not list: taken as any GPU of it",
                      pci.label, pci.bus_id->value));
    } else if (found != nullptr && found->device->kind == inventory::DeviceKind::kStorage) {
      ++other_["nvme"];
    } else {
      ++other_["other"];
      skip(
          fmt::format("{} passes through {}, which is not a GPU or NIC of an imported host: "
                      "counted among the other devices",
                      pci.label, pci.bus_id ? pci.bus_id->value : "a device without address"));
    }
  }

  void sort_dynamic(const VmPciDevice& pci, std::vector<const VmPciDevice*>& gpus) {
    if (is_nvidia(pci)) {
      gpus.push_back(&pci);
    } else {
      ++other_["other"];
      skip(fmt::format(
          "{} is any device of {}: counted among the other devices", pci.label,
          pci.allowed.empty() ? "a label" : fmt::format("{}", fmt::join(pci.allowed, ", "))));
    }
  }

  void add_sriov(const VmPciDevice& pci) {
    const ScenarioHosts::Found* found =
        host_ && pci.bus_id ? hosts_.device(*host_, pci.bus_id->value) : nullptr;
    if (found != nullptr && !found->name.empty()) {
      nics_[found->name] = "sriov";
    } else {
      skip(fmt::format("{} is a virtual function of {}, which no imported host has", pci.label,
                       pci.bus_id ? pci.bus_id->value : "an unknown NIC"));
    }
  }

  void write_nics() {
    std::size_t virtual_nics = 0;
    for (const VmAdapter& adapter : vm_.adapters) {
      virtual_nics += !adapter.type || adapter.type->value != "sriov";
    }
    if (virtual_nics > 0) write_virtual_nics(virtual_nics);
    Json nics = Json::object();
    for (const auto& [name, how] : nics_) nics[name] = how;
    if (!nics.empty() || !vm_.pci.empty()) json_["nics"] = std::move(nics);
  }

  /// One adapter is enough for a VM that has no other way to the network.
  void write_virtual_nics(std::size_t count) {
    const std::string nic = host_ && has_gpus() ? hosts_.fastest_nic(*host_) : std::string();
    if (nics_.empty() && !nic.empty()) {
      nics_[nic] = "vmxnet3";
      return assume(
          fmt::format("its virtual network adapter is behind {}, the fastest NIC of its "
                      "host, as vmxnet3: the files do not contain the uplink of a port group",
                      nic));
    }
    skip(
        fmt::format("{} virtual network adapter{}: the files do not state which NIC of the host "
                    "is behind the port group; add \"nics\": {{\"vmnicN\": \"vmxnet3\"}}",
                    count, count == 1 ? "" : "s"));
  }

  [[nodiscard]] bool has_gpus() const { return json_.contains("gpus"); }

  template <class T>
  void put(const char* key, const Maybe<T>& stated) {
    if (stated) json_[key] = stated->value;
  }

  void write_settings() {
    put("vcpus", vm_.vcpus);
    if (vm_.memory) json_["memory"] = fmt::format("{} MiB", vm_.memory->value.count() >> 20);
    put("memory_reserved", vm_.memory_reserved);
    put("hardware_version", vm_.hardware_version);
    put("firmware", vm_.firmware);
    if (vm_.guest_os) {
      std::string guest = vm_.guest_os->value;
      std::transform(guest.begin(), guest.end(), guest.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      json_["guest_os"] = guest.find("windows") != guest.npos ? "windows" : "linux";
    }
    put("unified_memory", vm_.unified_memory);
    if (!other_.empty()) json_["other_devices"] = other_;
    write_peer_to_peer();
    write_advanced();
  }

  void write_peer_to_peer() {
    if (vm_.pci.empty() && !vm_.allow_p2p) return;
    const bool allowed = vm_.allow_p2p && vm_.allow_p2p->value;
    const bool relaxed = vm_.relax_acs && vm_.relax_acs->value;
    json_["allow_p2p"] = allowed && relaxed;
    if (!vm_.allow_p2p) {
      assume("pciPassthru.allowP2P is not among its settings, so peer-to-peer over PCIe is off");
    } else if (allowed && !relaxed) {
      assume("pciPassthru.allowP2P without RelaxACSforP2P: peer-to-peer over PCIe is taken as off");
    }
  }

  void write_advanced() {
    Json advanced = Json::object();
    if (vm_.wide_mmio)
      advanced["pciPassthru.use64bitMMIO"] = vm_.wide_mmio->value ? "TRUE" : "FALSE";
    if (vm_.mmio_gb) advanced["pciPassthru.64bitMMIOSizeGB"] = std::to_string(vm_.mmio_gb->value);
    for (const auto& [key, stated] : vm_.advanced) advanced[key] = stated.value;
    if (vm_.latency_sensitivity) {
      advanced["sched.cpu.latencySensitivity"] = vm_.latency_sensitivity->value;
    }
    if (vm_.numa_affinity) advanced["numa.nodeAffinity"] = vm_.numa_affinity->value;
    if (vm_.vcpus_per_numa_node) {
      advanced["numa.vcpu.maxPerVirtualNode"] = std::to_string(vm_.vcpus_per_numa_node->value);
    }
    if (!advanced.empty()) json_["advanced"] = std::move(advanced);
  }

  const VmFacts& vm_;
  std::string name_;
  ScenarioHosts& hosts_;
  VmSentences& sentences_;
  Json json_ = Json::object();
  std::optional<std::size_t> host_;
  std::vector<const VmPciDevice*> vgpus_;
  std::size_t unseen_gpus_ = 0;              ///< of a host that is not known
  std::map<std::string, std::string> nics_;  ///< of the host, and how the VM has them
  std::map<std::string, std::size_t> other_;
};

}  // namespace

namespace {

bool is_on_with_devices(const VmFacts& vm) {
  return vm.powered_on && vm.powered_on->value && !vm.pci.empty();
}

constexpr const char* kIdle = "no GPU, so not part of the job: omitted";

/// A VM of a scenario that names no GPUs has all of its host, so that beside VMs that have some
/// those without must go.
void leave_out_idle(Json& vms, SentencesOfVms& skipped) {
  Json kept = Json::object();
  for (auto& [name, vm] : vms.items()) {
    if (vm.contains("gpus")) kept[name] = vm;
  }
  if (kept.empty()) return;
  for (auto& [name, vm] : vms.items()) {
    if (!kept.contains(name)) skipped.add(name, kIdle);
  }
  vms = std::move(kept);
}

}  // namespace

/// GPUs in static passthrough are known before those that vSphere chooses, so that no GPU is given
/// to two VMs.
VmFragment to_scenario(const std::vector<VmFacts>& vms, const std::vector<Inventory>& hosts) {
  VmFragment fragment;
  ScenarioHosts known(hosts);
  const bool some_run = std::ranges::any_of(vms, &is_on_with_devices);
  const bool some_have =
      std::ranges::any_of(vms, [](const VmFacts& vm) { return !vm.pci.empty(); });
  const auto is_off = [&](const VmFacts& vm) {
    return some_run && vm.powered_on && !vm.powered_on->value;
  };
  for (const VmFacts& vm : vms) {
    if (!is_off(vm)) mark_fixed_gpus(vm, known);
  }
  VmSentences sentences;
  std::set<std::string> taken;
  for (const VmFacts& vm : vms) {
    const std::string name =
        unique_scenario_name(vm.name, fmt::format("vm{}", taken.size() + 1), taken);
    if (some_have && vm.pci.empty()) {
      sentences.skipped.add(name, kIdle);
    } else if (is_off(vm)) {
      sentences.skipped.add(name, "powered off, so without devices: omitted");
    } else {
      fragment.vms[name] = VmWriter(vm, name, known, sentences).write();
    }
  }
  leave_out_idle(fragment.vms, sentences.skipped);
  sentences.assumed.tell(fragment.assumed);
  sentences.skipped.tell(fragment.skipped);
  return fragment;
}

}  // namespace vgsim::vsphere::import
