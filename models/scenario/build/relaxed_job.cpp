#include "models/scenario/build/relaxed_job.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "topology/graph/pcie_speed.hpp"

namespace vgsim::scenario {
namespace {

using topology::Edge;
using topology::Link;
using topology::LinkKind;
using topology::Topology;

/// The fastest PCIe link in all NCCL releases.
constexpr topology::PcieWidth kFastestRead{5, 16};

void raise_ports(Topology& topology) {
  for (topology::Host& host : topology.hosts) {
    for (topology::HostNic& nic : host.nics) {
      for (const Edge& edge : topology.edges_from(nic.vertex)) {
        const Link& link = topology.link(edge);
        if (link.kind != LinkKind::kPcie || !link.resource) continue;
        nic.port_rate = std::max(nic.port_rate, topology.resources[*link.resource].line_rate);
      }
    }
  }
}

void raise_slots(Topology& topology) {
  const std::vector<Edge> edges = topology.edges();
  for (const Edge& edge : edges) {
    const Link& link = topology.link(edge);
    if (!link.pcie ||
        topology::pcie_transfer_rate(*link.pcie) >= topology::pcie_transfer_rate(kFastestRead)) {
      continue;
    }
    topology.set_pcie(edge.source, edge.target, kFastestRead, link.root);
  }
}

/// The placement with NCCL's choices for faster links; link capacities stay.
Placement joined_anew(const Placement& placement, const Library& library, LinkKind kind) {
  struct Kept {
    Shared<Cluster> original;  ///< owner of the machines' facts
    Cluster cluster;
  };
  const auto kept = std::make_shared<Kept>(Kept{placement.cluster, *placement.cluster});
  if (kind == LinkKind::kNicPort) raise_ports(kept->cluster.topology);
  if (kind == LinkKind::kPcie) raise_slots(kept->cluster.topology);
  Placement anew = placement;
  anew.cluster = {kept, &kept->cluster};
  const auto communicators = std::make_shared<Communicators>();
  communicators->cluster = anew.cluster;
  const collectives::NcclInput& nccl = placement.ranks().nccl();
  communicators->ranks = join(*anew.cluster, library, placement.job.machines,
                              placement.job.exchanges() ? &nccl : nullptr, communicators->views);
  anew.communicators = communicators;
  if (anew.exchange) anew.exchange = find_exchange(anew);
  return anew;
}

}  // namespace

bool nccl_reads(LinkKind kind) { return kind == LinkKind::kNicPort || kind == LinkKind::kPcie; }

RelaxedJob relax(const Placement& placement, const Library& library, topology::LinkKind kind,
                 Choices choices, const Shared<JobUnits>& units) {
  Placement relaxed = choices == Choices::kAnew ? joined_anew(placement, library, kind) : placement;
  const Shared<JobUnits> own =
      choices == Choices::kAnew
          ? std::make_shared<const JobUnits>(job_units(relaxed, library, units->aggregation))
          : units;
  input::Diagnostics diagnostics;  // The job was prepared before, on the same machines.
  PreparedTraining training = prepare_training(relaxed, library, own, diagnostics);
  input::expect_no_errors(diagnostics);
  training.placed.leave_out(kind);
  return {std::move(relaxed), std::move(training)};
}

}  // namespace vgsim::scenario
