#include "models/vsphere/guest_view.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

using topology::PathClass;

/// NCCL's default limit for peer-to-peer (since 2.23) and for GPUDirect RDMA.
constexpr PathClass kNcclLevel = PathClass::kPxb;

constexpr const char* kVgpuSource =
    "NVIDIA AI Enterprise 8.1, vGPU features: peer-to-peer over NVLink only, full-framebuffer "
    "time-sliced profiles";
constexpr const char* kNcclSource =
    "NVIDIA/nccl src/graph/paths.cc: peer-to-peer and GPUDirect RDMA up to PXB by default";

}  // namespace

GuestView::GuestView(const topology::Topology& topology, const VirtualMachine& vm)
    : topology_(&topology), vm_(vm) {
  for (std::size_t g = 0; g < vm_.gpus.size(); ++g) {
    paths_.emplace_back(topology, gpu(g), topology::Travel::kAny);
    pcie_paths_.emplace_back(topology, gpu(g), topology::Travel::kPcieOnly);
  }
}

topology::Vertex GuestView::gpu(std::size_t g) const {
  return topology_->hosts[vm_.host].gpus[vm_.gpus[g]];
}

const topology::HostNic& GuestView::nic(std::size_t n) const {
  return topology_->hosts[vm_.host].nics[vm_.nics[n].host_nic];
}

bool GuestView::sees_pcie_tree() const { return vm_.guest_topology == GuestTopology::kTopoFile; }

bool GuestView::nvlink_survives(std::size_t a, std::size_t b) const {
  if (vm_.mode != GpuMode::kVgpu) return true;
  return vm_.nvlink_group[a].has_value() && vm_.nvlink_group[a] == vm_.nvlink_group[b];
}

PeerAccess GuestView::peer_access(std::size_t a, std::size_t b) const {
  if (paths_[a].class_to(gpu(b)) <= PathClass::kNvb && nvlink_survives(a, b)) {
    return PeerAccess::kNvLink;
  }
  return pcie_p2p() && sees_pcie_tree() && pcie_paths_[a].class_to(gpu(b)) <= kNcclLevel ? PeerAccess::kPcie
                                                                  : PeerAccess::kHostStaging;
}

bool GuestView::pcie_p2p() const {
  return vm_.mode != GpuMode::kVgpu && vm_.allow_p2p && topology_->hosts[vm_.host].pcie_p2p;
}

bool GuestView::nic_can_reach_gpus(std::size_t n) const {
  return nic(n).gdr && vm_.nics[n].mode != NicMode::kVmxnet3 && vm_.allow_p2p;
}

bool GuestView::gpudirect_rdma(std::size_t g, std::size_t n) const {
  return nic_can_reach_gpus(n) && sees_pcie_tree() && nic_class(g, n) <= kNcclLevel;
}

PathClass GuestView::peer_class(std::size_t a, std::size_t b) const {
  const bool nvlink = peer_access(a, b) == PeerAccess::kNvLink;
  return nvlink ? paths_[a].class_to(gpu(b)) : pcie_paths_[a].class_to(gpu(b));
}

PathClass GuestView::nic_class(std::size_t g, std::size_t n) const {
  return pcie_paths_[g].class_to(nic(n).vertex);
}

std::vector<Finding> GuestView::findings() const {
  bool nvlink_lost = false;
  bool p2p_lost_to_vgpu = false;
  bool p2p_lost_to_tree = false;
  bool p2p_forbidden = false;
  bool rdma_lost_to_tree = false;
  for (std::size_t a = 0; a < gpu_count(); ++a) {
    for (std::size_t b = 0; b < gpu_count(); ++b) {
      if (a == b || peer_access(a, b) == PeerAccess::kNvLink) continue;
      nvlink_lost |= paths_[a].class_to(gpu(b)) <= PathClass::kNvb;
      if (pcie_paths_[a].class_to(gpu(b)) > kNcclLevel) continue;
      p2p_lost_to_vgpu |= vm_.mode == GpuMode::kVgpu;
      p2p_forbidden |= vm_.mode == GpuMode::kPassthrough && !vm_.allow_p2p;
      p2p_lost_to_tree |= vm_.mode == GpuMode::kPassthrough && vm_.allow_p2p && !sees_pcie_tree();
    }
    for (std::size_t n = 0; n < vm_.nics.size(); ++n) {
      rdma_lost_to_tree |= nic(n).rdma && vm_.nics[n].mode != NicMode::kVmxnet3 && vm_.allow_p2p &&
                           !sees_pcie_tree() && nic_class(a, n) <= kNcclLevel;
    }
  }
  std::vector<Finding> result;
  const auto add = [&](bool holds, const char* rule, const char* text, const char* source) {
    if (holds) result.push_back({rule, vm_.name, text, source});
  };
  add(nvlink_lost, "vgpu-nvlink-needs-device-group",
      "NVLink between its vGPUs is off: they are not in one device group with NVLink", kVgpuSource);
  add(p2p_lost_to_vgpu, "vgpu-has-no-pcie-p2p",
      "vGPU has no PCIe peer-to-peer: GPUs under one switch copy through host memory", kVgpuSource);
  add(p2p_forbidden, "p2p-not-allowed", "PCIe peer-to-peer is off: pciPassthru.allowP2P is not set",
      kNcclSource);
  add(p2p_lost_to_tree, "flat-guest-hides-pcie-p2p",
      "the guest's PCIe tree is flat, so NCCL does not use peer-to-peer between GPUs under one "
      "switch; give it the host's tree with NCCL_TOPO_FILE (\"guest_topology\": \"topo_file\")",
      kNcclSource);
  add(rdma_lost_to_tree, "flat-guest-hides-gpudirect-rdma",
      "the guest's PCIe tree is flat, so NCCL does not use GPUDirect RDMA; give it the host's "
      "tree with NCCL_TOPO_FILE (\"guest_topology\": \"topo_file\")",
      kNcclSource);
  return result;
}

}  // namespace vgsim::vsphere
