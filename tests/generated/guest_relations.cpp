#include <algorithm>

#include "tests/generated/relations.hpp"

namespace vgsim::generated {
namespace {

/// The release after it; empty after the last.
std::string next_version(const std::string& version) {
  static const std::vector<std::string> kVersions = {"6.7",   "6.7U1", "6.7U2", "6.7U3", "7.0",
                                                     "7.0U1", "7.0U2", "7.0U3", "8.0",   "8.0U1",
                                                     "8.0U2", "8.0U3", "9.0",   "9.0.1", "9.1"};
  const auto found = std::find(kVersions.begin(), kVersions.end(), version);
  return found == kVersions.end() || found + 1 == kVersions.end() ? "" : *(found + 1);
}

/// NICs of VMs of one kind taken as another.
std::optional<Changed> with_nics_as(const Json& scenario, const char* from, const char* to) {
  return each_of(scenario, "vms", [&](Json& vm) {
    bool any = false;
    if (!vm.contains("nics")) return false;
    for (auto& [name, kind] : vm["nics"].items()) {
      if (kind != from) continue;
      kind = to;
      any = true;
    }
    return any;
  });
}

bool has_whole_vgpus(const scenario::Library& library, const Json& gpus) {
  if (gpus.value("mode", "") != "vgpu" || !gpus.contains("profile")) return false;
  const auto* profile = library.vsphere->profiles.find(gpus["profile"].get<std::string>());
  return profile != nullptr && profile->is_whole();
}

}  // namespace

void add_guest_relations(const scenario::Library& library, std::vector<Relation>& to) {
  using E = Effect;
  to.push_back({"newer vSphere", E::kNotSlower, "the next release, where it allows the same",
                [](const Json& s) -> std::optional<Changed> {
                  const std::string next = next_version(s.value("vsphere", "8.0U3"));
                  if (next.empty() || !s.contains("vms")) return {};
                  return with(s, "/vsphere", next);
                }});
  to.push_back({"SR-IOV for vmxnet3", E::kNotSlower, "no virtual switch on the way",
                [](const Json& s) { return with_nics_as(s, "vmxnet3", "sriov"); }});
  to.push_back({"NICs in passthrough", E::kNotSlower, "the whole NIC for one of its functions",
                [](const Json& s) { return with_nics_as(s, "sriov", "passthrough"); }});
  to.push_back(
      {"peer-to-peer allowed", E::kNotSlower, "a shorter way between GPUs", [](const Json& s) {
         return each_of(s, "vms", [](Json& vm) {
           if (vm.value("allow_p2p", true)) return false;
           vm["allow_p2p"] = true;
           return true;
         });
       }});
  to.push_back(
      {"topology file", E::kNotSlower, "NCCL sees the PCIe tree as it is", [](const Json& s) {
         return each_of(s, "vms", [](Json& vm) {
           if (vm.value("guest_topology", "flat") == "topo_file") return false;
           vm["guest_topology"] = "topo_file";
           return true;
         });
       }});
  to.push_back({"a flat topology", E::kNotFaster, "NCCL sees one virtual root", [](const Json& s) {
                  return each_of(s, "vms", [](Json& vm) {
                    if (vm.value("guest_topology", "flat") == "flat") return false;
                    vm["guest_topology"] = "flat";
                    return true;
                  });
                }});
  to.push_back({"no peer-to-peer", E::kNotFaster, "a longer way between GPUs", [](const Json& s) {
                  return each_of(s, "vms", [](Json& vm) {
                    if (!vm.value("allow_p2p", true)) return false;
                    vm["allow_p2p"] = false;
                    return true;
                  });
                }});
  to.push_back({"whole GPUs in passthrough", E::kNotSlower,
                "instead of vGPUs that are a whole GPU each, outside device groups",
                [&library](const Json& s) {
                  return each_of(s, "vms", [&](Json& vm) {
                    if (!vm.contains("gpus") || !has_whole_vgpus(library, vm["gpus"])) return false;
                    vm["gpus"]["mode"] = "passthrough";
                    vm["gpus"].erase("profile");
                    return true;
                  });
                }});
  to.push_back(
      {"the process beside its GPUs", E::kNotSlower, "no remote client", [](const Json& s) {
         return each_of(s, "vms", [](Json& vm) { return vm.erase("remote_client") > 0; });
       }});
  to.push_back({"others with less to do", E::kNotSlower, "who shares a GPU uses it half as long",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s["job"].contains("vms")) return {};
                  return each_of(s, "vms", [](Json& vm) {
                    if (!vm.contains("gpu_load")) return false;
                    vm["gpu_load"] = times(vm["gpu_load"], 0.5);
                    return true;
                  });
                }});
  to.push_back({"more vCPUs", E::kNotSlower, "where the host has the cores", [](const Json& s) {
                  return each_of(s, "vms", [](Json& vm) {
                    if (!vm.contains("vcpus")) return false;
                    vm["vcpus"] = vm["vcpus"].get<int>() + 8;
                    return true;
                  });
                }});
  to.push_back({"more guest memory", E::kNotSlower, "where the host has it", [](const Json& s) {
                  return each_of(s, "vms", [](Json& vm) {
                    if (!vm.contains("memory")) return false;
                    vm["memory"] = times(vm["memory"], 1.25);
                    return true;
                  });
                }});
  to.push_back({"no virtualization", E::kNotSlower, "kernels run as on bare metal",
                [](const Json& s) { return with(s, "/idealise/virtualization", "zero"); }});
  to.push_back({"nothing interrupts", E::kNotSlower, "no vMotion, restart or failure",
                [](const Json& s) { return without(s, "/disruptions"); }, true});
  to.push_back({"faster vMotion network", E::kNotSlower, "VMs are stunned for less time",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s.contains("disruptions")) return {};
                  return each_of(s, "hosts", [](Json& host) {
                    host["vmotion"] = times(host.value("vmotion", Json("10 Gbit/s")), 2);
                    return true;
                  });
                },
                true});
}

}  // namespace vgsim::generated
