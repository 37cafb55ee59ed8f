#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/vsphere/placement/placer.hpp"

namespace vgsim::scenario {

struct Library;

/// A VM that leaves its host.
struct Departure {
  std::size_t machine = 0;          ///< index into Cluster::machines
  std::optional<std::size_t> host;  ///< index into Cluster::hosts; nothing if no host can take it
  std::string why_not;              ///< why no host can take it
};

/// Possible target hosts for VMs of a placed layout, while all other VMs stay. A host can take a VM
/// if it has free GPUs or profile capacity of the same model, enough reservable memory and CPUs,
/// and NICs of the same names that are not in passthrough to others. Running VMs keep their GPUs.
class Relocation {
 public:
  /// Layout, cluster and library must outlive it.
  Relocation(const Layout& layout, const Cluster& cluster, const Library& library);

  /// The other hosts that could take this VM: indices into Cluster::hosts, ascending.
  [[nodiscard]] std::vector<std::size_t> targets(std::size_t machine) const;
  /// Why there is no target.
  [[nodiscard]] std::string why_no_target(std::size_t machine) const;

  /// Restarts all VMs of a host on the others, in order of power-on, then largest first.
  [[nodiscard]] std::vector<Departure> evacuate(std::size_t host) const;

 private:
  /// The free resources of a host.
  struct State {
    vsphere::HostAssignment gpus;
    std::map<std::string, bool> nics;  ///< used NICs; true: exclusively by one VM
  };
  struct Attempt {
    State state;
    std::vector<vsphere::Refusal> refusals;
  };

  [[nodiscard]] const vsphere::PlacementRequest* request_of(std::size_t machine) const;
  [[nodiscard]] std::string model_of(std::size_t machine) const;
  [[nodiscard]] Attempt try_on(std::size_t machine, std::size_t kind, const State& state) const;
  [[nodiscard]] std::vector<std::size_t> vms_to_start(std::size_t host) const;
  void add_nics(const vsphere::VirtualMachine& vm, State& state) const;

  const Cluster* cluster_;
  std::vector<std::optional<vsphere::PlacementRequest>> requests_;  ///< by Cluster::kinds
  std::vector<State> now_;                                          ///< by kind of host
};

}  // namespace vgsim::scenario
