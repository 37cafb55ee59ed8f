#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/spec/fabric_spec.hpp"

namespace vgsim::topology {

/// One direction of a link between a leaf and a spine.
struct FabricLink {
  std::uint32_t leaf = 0;   ///< from 0
  std::uint32_t spine = 0;  ///< from 0
  bool up = true;           ///< leaf to spine

  auto operator<=>(const FabricLink&) const = default;
};

/// What a byte crosses between two NIC ports: nothing where they share a leaf.
struct FabricPath {
  std::optional<FabricLink> up;
  std::optional<FabricLink> down;
  SimTime latency{};  ///< of the switches on it
};

/// A NIC of a host, both by number.
struct NicPosition {
  std::size_t host = 0;
  std::size_t nic = 0;
};

/// Leaf and spine switches that join the NICs of all hosts: every leaf has one link to every
/// spine, a NIC hangs on one leaf. It is regular, so it is not spelled out as a graph: a path is a
/// matter of arithmetic, and a cluster of a hundred thousand NICs costs no more than its hosts.
class Fabric {
 public:
  /// How NICs are spread over leaves.
  struct Plan {
    bool rails = false;  ///< the n-th NIC of every host on the n-th leaf (of its group of hosts)
    std::size_t leaves = 1;  ///< in all, or for rails in a group of hosts
    std::size_t spines = 0;
    std::size_t hosts_per_leaf = 0;  ///< of rails: hosts in a group; 0 for all in one
    std::optional<BytesPerSecond> host_link;
    std::optional<BytesPerSecond> uplink;
    SimTime switch_latency{};
  };

  /// A host as the fabric sees it: what its switch ports carry, and the leaf that the scenario puts
  /// it on (from 0), if it does.
  struct Attached {
    std::vector<BytesPerSecond> ports;
    std::optional<std::size_t> leaf;
  };

  Fabric() = default;
  Fabric(const Plan& plan, const std::vector<Attached>& hosts);

  [[nodiscard]] std::size_t leaf_of(const NicPosition& at) const {
    const std::size_t first = places_[at.host].leaf;
    return plan_.rails ? first + remainder(at.nic, plan_.leaves) : first;
  }

  /// The path from one NIC's port to another's; nothing if the fabric does not join them. Where
  /// several spines lie between two leaves, the receiving NIC picks one (its host's number plus
  /// its own, modulo the number of spines), as destination-based ECMP would.
  [[nodiscard]] std::optional<FabricPath> path(const NicPosition& from,
                                               const NicPosition& to) const;

  [[nodiscard]] BytesPerSecond rate(const FabricLink& link) const;
  [[nodiscard]] std::string name(const FabricLink& link) const;  ///< "leaf1 -> spine2"
  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  /// Mostly of numbers that are less: a division for each path would be most of what it costs.
  static std::size_t remainder(std::size_t number, std::size_t divisor) {
    return number < divisor ? number : number % divisor;
  }

  /// Of a host: the leaf of its first NIC, and the spine that leads to it.
  struct Place {
    std::uint32_t leaf = 0;
    std::uint32_t spine = 0;
  };

  Plan plan_;
  std::vector<Place> places_;                ///< by host
  std::vector<std::int64_t> towards_hosts_;  ///< by leaf: bytes/s of all its ports
};

/// The plan of a fabric; without one, one switch joins all NICs. `widest_host` is the largest
/// number of NICs in one host. Reports unknown parts and absurd sizes.
[[nodiscard]] Fabric::Plan plan_fabric(const std::optional<input::At<FabricSpec>>& fabric,
                                       std::size_t hosts, std::size_t widest_host,
                                       const Catalog& catalog, input::Diagnostics& diagnostics);

/// The leaf that a host is said to be on, from 0; reports one that the fabric lacks.
[[nodiscard]] std::optional<std::size_t> said_leaf(
    const std::optional<input::At<std::int64_t>>& leaf, const Fabric::Plan& plan,
    input::Diagnostics& diagnostics);

/// What had to be assumed about the fabric of so many hosts, in words.
[[nodiscard]] std::vector<std::string> fabric_assumptions(
    const std::optional<input::At<FabricSpec>>& fabric, const Fabric::Plan& plan,
    std::size_t hosts);

/// Gives each NIC of a host its port: a resource for each direction, at the slower of the NIC's
/// rate and that of the switch port.
void add_ports(Topology& topology, std::size_t host, const Fabric::Plan& plan);

}  // namespace vgsim::topology
