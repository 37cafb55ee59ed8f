#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/scenario/read/scenario.hpp"
#include "models/vsphere/legality/findings.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/fabric.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// A host of the cluster. Hosts that are the same in everything but their name are built once.
struct ClusterHost {
  std::string name;
  std::size_t kind = 0;  ///< index into Topology::hosts
};

/// A VM, or a host without a hypervisor.
struct Machine {
  std::string name;
  std::size_t host = 0;  ///< index into Cluster::hosts
  std::size_t kind = 0;  ///< index into Cluster::kinds
};

/// The machines of one layout, built and placed.
struct Cluster {
  topology::Topology topology;  ///< one host of each kind, under the name of the first
  topology::Fabric fabric;      ///< between all hosts
  std::vector<ClusterHost> hosts;
  std::vector<vsphere::VirtualMachine> kinds;  ///< the machines of the hosts in `topology`
  std::vector<Machine> machines;               ///< all of them, in rank order
  Idealised idealised;
  std::vector<std::string> assumptions;
  std::vector<topology::OpenPoint> open;          ///< of the hosts
  std::string vsphere;                            ///< version
  std::vector<vsphere::HostInventory> inventory;  ///< by host in `topology`
  /// What that version makes of the machines in `kinds`, whose names are the subjects.
  std::vector<vsphere::Finding> findings;

  [[nodiscard]] bool is_refused() const;
  /// The name of a GPU of a machine: "esx07/gpu0".
  [[nodiscard]] std::string gpu_name(std::size_t machine, std::size_t gpu) const;
  /// The name that something of a built host has in another host of its kind: "esx01/gpu0" is
  /// "esx07/gpu0".
  [[nodiscard]] std::string name_in(std::size_t host, const std::string& built_name) const;
};

/// Says of a host or VM, by name, what sets it apart from others with the same content (a
/// straggler, a link that fails); the empty string for nothing.
using Distinction = std::function<std::string(const std::string& name)>;

/// Builds hosts, fabric and VMs of a layout. Training jobs read their data from storage; a host
/// without any gets a drive of `storage_read_rate`.
///
/// Hosts and VMs are put into an order that depends on what they are, and on their names only
/// between equal ones, so that neither renaming nor reordering them changes a result.
[[nodiscard]] Cluster build_cluster(const Layout& layout, const Library& library,
                                    const input::FileLoader& load, const Distinction& distinction,
                                    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
