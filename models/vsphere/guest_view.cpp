#include "models/vsphere/guest_view.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

using topology::PathClass;

/// NCCL's default limit for peer-to-peer (since 2.23) and for GPUDirect RDMA.
constexpr PathClass kP2pLevel = PathClass::kPxb;

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
  return vm_.nvlink_reach[a].has_value() && vm_.nvlink_reach[a] == vm_.nvlink_reach[b];
}

PeerAccess GuestView::peer_access(std::size_t a, std::size_t b) const {
  if (paths_[a].class_to(gpu(b)) <= PathClass::kNvb && nvlink_survives(a, b)) {
    return PeerAccess::kNvLink;
  }
  return pcie_p2p() && sees_pcie_tree() && pcie_paths_[a].class_to(gpu(b)) <= kP2pLevel
             ? PeerAccess::kPcie
             : PeerAccess::kHostStaging;
}

bool GuestView::can_be_peers(std::size_t a, std::size_t b) const {
  return peer_access(a, b) == PeerAccess::kNvLink ||
         (pcie_p2p() && pcie_island(a) == pcie_island(b));
}

std::size_t GuestView::nvlink_island(std::size_t g) const {
  return vm_.nvlink_reach[g].value_or(0);
}

bool GuestView::pcie_p2p() const {
  return vm_.mode->has_pcie_peers() && vm_.allow_p2p && topology_->hosts[vm_.host].pcie_p2p;
}

std::size_t GuestView::pcie_island(std::size_t g) const {
  if (!vm_.p2p_below_roots) return 0;
  std::size_t first = 0;
  while (pcie_paths_[g].class_to(gpu(first)) > PathClass::kPxb) ++first;
  return first;
}

topology::NetKind GuestView::net_kind(std::size_t n) const {
  return vm_.nics[n].is_adapter() ? topology::NetKind::kSocket : nic(n).net;
}

BytesPerSecond GuestView::reported_rate(std::size_t n) const {
  return vm_.nics[n].costs.reported_rate.value_or(nic(n).port_rate);
}

bool GuestView::nic_can_reach_gpus(std::size_t n) const {
  return vm_.gpudirect_rdma && nic(n).gdr && vm_.nics[n].mode->reaches_gpus && vm_.allow_p2p;
}

bool GuestView::nic_can_reach(std::size_t g, std::size_t n) const {
  return nic_can_reach_gpus(n) &&
         (!vm_.p2p_below_roots ||
          topology::shares_root_complex(*topology_, pcie_paths_[g], nic(n).vertex));
}

bool GuestView::gpudirect_rdma(std::size_t g, std::size_t n) const {
  return nic_can_reach(g, n) && sees_pcie_tree() && nic_class(g, n) <= kP2pLevel;
}

PathClass GuestView::peer_class(std::size_t a, std::size_t b) const {
  const bool nvlink = peer_access(a, b) == PeerAccess::kNvLink;
  return nvlink ? paths_[a].class_to(gpu(b)) : pcie_paths_[a].class_to(gpu(b));
}

PathClass GuestView::nic_class(std::size_t g, std::size_t n) const {
  return pcie_paths_[g].class_to(nic(n).vertex);
}

}  // namespace vgsim::vsphere
