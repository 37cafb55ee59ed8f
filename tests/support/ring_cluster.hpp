#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/collectives/lowering.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/stream.hpp"
#include "models/vsphere/guest_view.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/fabric.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::test {

/// A host with only GPUs on separate links, and ports: no other link is a bottleneck. The ports
/// have the given rates, each direction separately.
struct RingHost {
  BytesPerSecond out{};  ///< of each port, towards the network
  BytesPerSecond in{};   ///< of each port, from the network
  std::size_t ports = 1;
  std::size_t gpus = 1;
  BytesPerSecond gpu_link{};  ///< of a GPU towards the others, per direction
  bool nvlink = true;         ///< NVLink through a switch; otherwise PCIe peer-to-peer
};

/// Which hosts of a cluster share their resources: those of a kind, or none.
enum class Aggregation : std::uint8_t { kBySymmetry, kNone };

/// Hosts of these kinds, joined by a fabric, and the ring through all of their GPUs: NCCL is set to
/// one channel, algorithm Ring and protocol Simple.
class RingCluster {
 public:
  RingCluster(const std::vector<RingHost>& kinds, std::vector<std::size_t> kind_of_host,
              const topology::Fabric::Plan& plan = {})
      : kind_of_host_(std::move(kind_of_host)) {
    for (const RingHost& kind : kinds) build(kind);
    std::vector<topology::Fabric::Attached> attached;
    std::vector<collectives::PlacedVm> vms;
    for (const std::size_t kind : kind_of_host_) {
      attached.push_back({std::vector<BytesPerSecond>(kinds[kind].ports, kinds[kind].out), {}});
      vms.push_back({kind, vms.size()});
    }
    fabric_ = topology::Fabric(plan, attached);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      views_.emplace_back(topology_, vsphere::bare_metal(topology_, k));
    }
    for (const auto& resource : topology_.resources) {
      capacity_.emplace_back(resource.line_rate.count());
    }
    collectives::NcclInput nccl{test::library().nccl.back().constants, {}, {}};
    nccl.settings.max_channels = 1;
    static_cast<void>(collectives::nccl::read_algorithms("Ring", nccl.filter));
    static_cast<void>(collectives::nccl::read_protocols("Simple", nccl.filter));
    ranks_ =
        collectives::RankGroup(topology_, *test::library().catalog, fabric_, views_, vms, nccl);
  }
  RingCluster(const RingCluster&) = delete;
  RingCluster& operator=(const RingCluster&) = delete;

  [[nodiscard]] collectives::PlacedNetwork network(
      Aggregation aggregation = Aggregation::kNone) const {
    return {topology_, fabric_, kind_of_host_,
            aggregation == Aggregation::kBySymmetry
                ? kind_of_host_
                : collectives::PlacedNetwork::every_host_alone(kind_of_host_.size()),
            capacity_};
  }
  [[nodiscard]] const collectives::RankGroup& ranks() const { return ranks_; }
  [[nodiscard]] std::vector<collectives::Leg> legs() const {
    return collectives::ring_legs(ranks_, 0);
  }
  [[nodiscard]] const topology::Topology& topology() const { return topology_; }
  [[nodiscard]] const topology::Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const topology::HostNic& port(std::size_t host, std::size_t nic = 0) const {
    return topology_.hosts[kind_of_host_[host]].nics[nic];
  }

  /// What a hop can carry alone, in bytes/s.
  [[nodiscard]] Ratio rate(const collectives::Leg& hop) const {
    std::optional<Ratio> least;
    for (const auto* crossings : {hop.leaving, hop.arriving}) {
      if (crossings == nullptr) continue;
      for (const Crossing& c : *crossings) {
        const Ratio rate = capacity_[static_cast<std::size_t>(c.resource)] / c.coefficient;
        if (!least || rate < *least) least = rate;
      }
    }
    return least.value();
  }

 private:
  void build(const RingHost& kind) {
    const auto number = static_cast<std::int32_t>(topology_.hosts.size());
    topology::Host& host = topology_.hosts.emplace_back();
    host.name = "h" + std::to_string(number);
    const auto add = [&](const std::string& name, topology::NodeKind node) {
      return topology_.add_node({host.name + "/" + name, node, number, 0, {}});
    };
    const auto socket = add("socket", topology::NodeKind::kSocket);
    const auto memory = add("memory", topology::NodeKind::kMemory);
    topology_.connect_unlimited(memory, socket, topology::LinkKind::kMemoryBus, SimTime{0});
    host.sockets.push_back(socket);
    host.memories.push_back(memory);
    const auto pcie = add("switch", topology::NodeKind::kPcieSwitch);
    topology_.connect_unlimited(pcie, socket, topology::LinkKind::kPcie, SimTime{0});
    const auto nvlink = add("nvswitch", topology::NodeKind::kNvSwitch);
    for (std::size_t g = 0; g < kind.gpus; ++g) {
      host.gpus.push_back(add("gpu" + std::to_string(g), topology::NodeKind::kGpu));
      if (kind.nvlink || kind.gpus == 1) {
        topology_.connect_unlimited(host.gpus.back(), pcie, topology::LinkKind::kPcie, SimTime{0});
      }
      if (kind.gpus == 1) continue;
      topology_.connect(host.gpus.back(), kind.nvlink ? nvlink : pcie,
                        kind.nvlink ? topology::LinkKind::kNvLink : topology::LinkKind::kPcie,
                        kind.gpu_link, 1.0, SimTime{0}, "test");
      if (kind.nvlink) topology_.set_nvlinks(host.gpus.back(), nvlink, 4);
    }
    for (std::size_t n = 0; n < kind.ports; ++n) {
      topology::HostNic nic;
      nic.name = "nic" + std::to_string(n);
      nic.vertex = add(nic.name, topology::NodeKind::kNic);
      nic.port_rate = kind.out;
      nic.rdma = true;
      nic.net = topology::NetKind::kIb;
      nic.gdr = true;
      const auto port = topology::LinkKind::kNicPort;
      nic.out = topology_.add_resource({nic.name + " -> network", port, kind.out, 1.0, "test"});
      nic.in = topology_.add_resource({"network -> " + nic.name, port, kind.in, 1.0, "test"});
      topology_.connect_unlimited(nic.vertex, pcie, topology::LinkKind::kPcie, SimTime{0});
      host.nics.push_back(nic);
    }
  }

  std::vector<std::size_t> kind_of_host_;
  topology::Topology topology_;
  topology::Fabric fabric_;
  std::vector<vsphere::GuestView> views_;
  std::vector<Ratio> capacity_;
  collectives::RankGroup ranks_;
};

/// N hosts with one GPU each in a ring; the link from host i to the next carries rates[i] bytes/s.
inline std::unique_ptr<RingCluster> ring_over(const std::vector<std::int64_t>& rates) {
  std::vector<RingHost> kinds;
  std::vector<std::size_t> kind_of_host;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::int64_t into = rates[(i + rates.size() - 1) % rates.size()];
    kinds.push_back({BytesPerSecond{rates[i]}, BytesPerSecond{into}});
    kind_of_host.push_back(i);
  }
  return std::make_unique<RingCluster>(kinds, kind_of_host);
}

}  // namespace vgsim::test
