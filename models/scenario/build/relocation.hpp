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
  std::optional<std::size_t> host;  ///< index into Cluster::hosts; nothing if no host takes it
  std::string why_not;              ///< where none does
};

/// Where VMs of a placed layout could run instead, while all others stay where they are. A host
/// takes a VM if it has the GPUs, or room for the profiles, of the same model; the memory to be
/// reserved and the CPUs; and the NICs that the VM names, which nobody has in passthrough. Once
/// running, VMs keep their GPUs.
class Relocation {
 public:
  /// Layout, cluster and library must outlive it.
  Relocation(const Layout& layout, const Cluster& cluster, const Library& library);

  /// The other hosts that could take a VM alone: indices into Cluster::hosts, ascending.
  [[nodiscard]] std::vector<std::size_t> targets(std::size_t machine) const;
  /// Why there are none.
  [[nodiscard]] std::string why_no_target(std::size_t machine) const;

  /// All VMs of a host that is taken away, as they are started on the others: those that are
  /// powered on first, of these the largest.
  [[nodiscard]] std::vector<Departure> evacuate(std::size_t host) const;

 private:
  /// A host as VMs find it.
  struct State {
    vsphere::HostAssignment gpus;
    std::map<std::string, bool> nics;  ///< those in use, and whether by a VM alone
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
