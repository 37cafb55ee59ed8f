#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/guest_view.hpp"
#include "models/vsphere/legality/checks.hpp"
#include "models/vsphere/nvlink.hpp"

namespace vgsim::vsphere {
namespace {

using topology::PathClass;

/// NCCL's default limit for peer-to-peer (since 2.23) and for GPUDirect RDMA.
constexpr PathClass kNcclLevel = PathClass::kPxb;

/// GPUs of one VM that pass on data in one of NCCL's rings must be joined pair by pair.
bool all_joined(const Case& each) {
  for (const std::size_t a : each.vm.gpus) {
    for (const std::size_t b : each.vm.gpus) {
      if (a != b && !each.host.joined[a][b]) return false;
    }
  }
  return true;
}

/// Whether NVLink could reach other GPUs from this one of the VM: not from a part of a GPU.
bool is_whole(const VirtualMachine& vm, std::size_t position) {
  const Profile* profile = vm.profiles[position];
  return profile == nullptr || profile->is_whole();
}

/// Whether NVLink joins one of the VM's GPUs with one of another VM.
bool is_torn(const Case& each) {
  for (const VirtualMachine& other : each.layout.vms) {
    if (other.host != each.vm.host || other.name == each.vm.name) continue;
    for (std::size_t a = 0; a < each.vm.gpus.size(); ++a) {
      for (std::size_t b = 0; b < other.gpus.size(); ++b) {
        if (is_whole(each.vm, a) && is_whole(other, b) && each.vm.gpus[a] != other.gpus[b] &&
            each.host.joined[each.vm.gpus[a]][other.gpus[b]]) {
          return true;
        }
      }
    }
  }
  return false;
}

bool at_root_of_a_gpu(const Case& each, topology::Vertex nic) {
  for (std::size_t g = 0; g < each.view.gpu_count(); ++g) {
    if (topology::shares_root_complex(each.layout.topology, each.view.pcie_paths(g), nic))
      return true;
  }
  return false;
}

/// Whether this server has a free slot for the NIC next to the VM's GPUs, in words.
std::string free_slot_words(const Case& each) {
  const auto& free = each.layout.topology.hosts[each.vm.host].free_slots;
  if (!free) return {};
  for (const topology::FreeSlot& slot : *free) {
    if (at_root_of_a_gpu(each, slot.under)) {
      return fmt::format("; {}, which is free, is next to them", slot.name);
    }
  }
  return "; no free slot of its server is next to them";
}

void check_nvlink(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (each.host.nvswitch && each.has_passthrough() && !each.has("nvswitch-passthrough")) {
    each.found("nvswitch-passthrough", "GPUs of an NVSwitch board are passed through");
  }
  const auto restriction =
      nvlink_restriction(vm, each.host, each.layout.facts.versions, each.layout.version);
  if (restriction && restriction->always_reported) each.found(restriction->rule, restriction->text);
  if (each.host.nvswitch && each.has_vgpus() &&
      std::any_of(vm.nvlink_group.begin(), vm.nvlink_group.end(),
                  [](const auto& group) { return !group.has_value(); })) {
    each.found("nvswitch-nvlink-off", "it has a vGPU outside device groups with NVLink");
  }
  if (!each.host.nvswitch && is_torn(each)) {
    each.found("nvlink-across-vms", "NVLink joins one of its GPUs with one of another VM");
  }
  if (vm.gpus.size() >= 4 && !each.host.nvswitch && !all_joined(each)) {
    each.found("four-pcie-gpus",
               fmt::format("{} GPUs that are not all connected by NVLink", vm.gpus.size()));
  }
}

/// NVLink that the host has between GPUs of the VM, and the guest does not.
void explain_lost_nvlink(const Case& each) {
  const auto restriction =
      nvlink_restriction(each.vm, each.host, each.layout.facts.versions, each.layout.version);
  if (restriction) {
    each.found(restriction->rule, restriction->text);
  } else if (!each.host.nvswitch) {
    each.found("vgpu-nvlink-fraction", "its vGPUs are parts of GPUs, which have no NVLink");
  }
}

/// Whether the vGPUs of the VM stay on GPUs that NVLink joins.
void check_nvlink_placement(const Case& each) {
  const auto restriction =
      nvlink_restriction(each.vm, each.host, each.layout.facts.versions, each.layout.version);
  if (!each.has_vgpus() || each.host.nvswitch || restriction) return;
  const auto odds = pick_odds(each.vm, each.host, each.layout.vms);
  if (!odds) return;
  const double share = static_cast<double>(odds->as_good) / static_cast<double>(odds->choices);
  const std::string chance = fmt::format("{:.0f} % of random placements have {}", 100 * share,
                                         odds->joined == 0 ? "any joined" : "as many joined");
  each.found("vgpu-nvlink-not-placed", fmt::format("{} of the {} pairs of its GPUs have NVLink, "
                                                   "but no device group keeps this placement: {}",
                                                   odds->joined, odds->pairs, chance));
}

/// Whether the NVSwitch reduces for the VM's vGPUs.
void check_multicast(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (!each.host.nvswitch || vm.multicast || !each.has("nvswitch-groups")) return;
  for (std::size_t a = 0; a < vm.gpus.size(); ++a) {
    const Board* board = each.host.boards[vm.gpus[a]];
    if (board == nullptr || !board->is_hopper_or_newer()) return;
    for (std::size_t b = 0; b < a; ++b) {
      if (each.view.peer_access(a, b) != PeerAccess::kNvLink) continue;
      each.found("nvls-needs-unified-memory", "unified memory is off, so NCCL has no NVLS");
      return;
    }
  }
}

}  // namespace

void check_peer_traffic(const Case& each) {
  check_nvlink(each);
  check_nvlink_placement(each);
  check_multicast(each);
  const VirtualMachine& vm = each.vm;
  const GuestView& view = each.view;
  bool nvlink_lost = false;
  bool under_switch = false;
  for (std::size_t a = 0; a < view.gpu_count(); ++a) {
    for (std::size_t b = 0; b < view.gpu_count(); ++b) {
      if (vm.gpus[a] == vm.gpus[b] || view.peer_access(a, b) == PeerAccess::kNvLink) continue;
      nvlink_lost |= view.paths(a).class_to(view.gpu(b)) <= PathClass::kNvb;
      under_switch |= view.pcie_paths(a).class_to(view.gpu(b)) <= kNcclLevel;
    }
  }
  if (nvlink_lost) explain_lost_nvlink(each);
  if (!under_switch) return;
  if (!vm.mode->has_pcie_peers()) {
    each.found(vm.mode->no_pcie_rule, vm.mode->no_pcie_text);
  } else if (!vm.allow_p2p) {
    each.found("p2p-not-allowed", "PCIe peer-to-peer is off: pciPassthru.allowP2P is not set");
  } else if (!view.sees_pcie_tree()) {
    each.found("flat-guest-hides-pcie-p2p",
               "the guest's PCIe tree is flat, so NCCL does not use peer-to-peer between GPUs "
               "under one switch; give it the host's tree with NCCL_TOPO_FILE (\"guest_topology\": "
               "\"topo_file\")");
  }
}

void check_gpudirect(const Case& each) {
  const VirtualMachine& vm = each.vm;
  if (vm.gpus.empty()) return;
  const auto restriction =
      gpudirect_restriction(vm, each.host, each.layout.facts.versions, each.layout.version);
  for (std::size_t n = 0; n < vm.nics.size(); ++n) {
    const topology::HostNic& nic = each.view.nic(n);
    if (!nic.rdma || !vm.nics[n].mode->is_passed) continue;
    if (restriction) each.found(restriction->rule, restriction->text);
    if (!vm.settings.linux_guest) each.found("gpudirect-guest-os", "its guest is not Linux");
    if (!vm.allow_p2p) {
      each.found("gpudirect-no-relaxed-acs",
                 fmt::format("pciPassthru.allowP2P and RelaxACSforP2P are not set, so {} does not "
                             "reach GPU memory",
                             nic.name));
    }
    PathClass nearest = PathClass::kDis;
    for (std::size_t g = 0; g < vm.gpus.size(); ++g) {
      nearest = std::min(nearest, each.view.nic_class(g, n));
    }
    if (!at_root_of_a_gpu(each, nic.vertex)) {
      each.found("nic-other-root", fmt::format("{} is under another root complex than its GPUs{}",
                                               nic.name, free_slot_words(each)));
    }
    if (vm.allow_p2p && !each.view.sees_pcie_tree() && nearest <= kNcclLevel) {
      each.found("flat-guest-hides-gpudirect-rdma",
                 "the guest's PCIe tree is flat, so NCCL does not use GPUDirect RDMA; give it the "
                 "host's tree with NCCL_TOPO_FILE (\"guest_topology\": \"topo_file\")");
    }
  }
}

}  // namespace vgsim::vsphere
