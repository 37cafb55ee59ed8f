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

/// A host of the cluster. Hosts that differ only in their name are built once.
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
  topology::Topology topology;  ///< one host per kind, with the name of the first
  topology::Fabric fabric;      ///< between all hosts
  std::vector<ClusterHost> hosts;
  std::vector<vsphere::VirtualMachine> kinds;  ///< machines open points of the hosts in `topology`
  std::vector<Machine> machines;               ///< all of them, in rank order
  Idealised idealised;
  std::vector<std::string> assumptions;
  std::vector<topology::OpenPoint> open;          ///< open points of the hosts
  std::string vsphere;                            ///< version
  std::vector<vsphere::HostInventory> inventory;  ///< by host in `topology`
  /// Findings of that version about the machines in `kinds`; subjects are their names.
  std::vector<vsphere::Finding> findings;

  [[nodiscard]] bool is_refused() const;
  /// The name of a GPU of a machine: "esx07/gpu0".
  [[nodiscard]] std::string gpu_name(std::size_t machine, std::size_t gpu) const;
  /// Converts a name in the built host to that in another host of its kind: "esx01/gpu0" to
  /// "esx07/gpu0".
  [[nodiscard]] std::string name_in(std::size_t host, const std::string& built_name) const;
};

/// Returns, for a host or VM name, what distinguishes it from others with the same content (a
/// straggler, a failing link); empty if nothing does.
using Distinction = std::function<std::string(const std::string& name)>;

/// Builds hosts, fabric and VMs of a layout. Hosts of training jobs without storage get a drive
/// with `storage_read_rate`.
///
/// Hosts and VMs are sorted by content, and only equal ones by name, so that renaming or reordering
/// them does not change a result.
[[nodiscard]] Cluster build_cluster(const Layout& layout, const Library& library,
                                    const input::FileLoader& load, const Distinction& distinction,
                                    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
