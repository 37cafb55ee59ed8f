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

/// The links between two NIC ports; none if they are on the same leaf.
struct FabricPath {
  std::optional<FabricLink> up;
  std::optional<FabricLink> down;
  SimTime latency{};  ///< of the switches on the path
};

/// A NIC of a host, both by index.
struct NicPosition {
  std::size_t host = 0;
  std::size_t nic = 0;
};

/// Leaf and spine switches that connect the NICs of all hosts: every leaf has one link to every
/// spine, and each NIC is connected to one leaf. Paths are computed arithmetically instead of
/// stored in a graph, so the cost of a large cluster is that of its hosts.
class Fabric {
 public:
  /// Assignment of NICs to leaves.
  struct Plan {
    bool rails = false;  ///< the n-th NIC of every host on the n-th leaf (of its group of hosts)
    std::size_t leaves = 1;  ///< in total; for rails, per group of hosts
    std::size_t spines = 0;
    std::size_t hosts_per_leaf = 0;  ///< for rails: hosts per group; 0: one group
    std::optional<BytesPerSecond> host_link;
    std::optional<BytesPerSecond> uplink;
    SimTime switch_latency{};
  };

  /// Input of the fabric from a host: the rate of its switch ports, and the leaf (from 0) that the
  /// scenario assigns.
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

  /// The path from one NIC's port to another's; nothing if the fabric does not connect them. With
  /// several spines between two leaves, the receiving NIC determines the spine (index of its host
  /// plus its own index, modulo the number of spines), like destination-based ECMP.
  [[nodiscard]] std::optional<FabricPath> path(const NicPosition& from,
                                               const NicPosition& to) const;

  [[nodiscard]] BytesPerSecond rate(const FabricLink& link) const;
  [[nodiscard]] std::string name(const FabricLink& link) const;  ///< "leaf1 -> spine2"
  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  /// Avoids a division, the main cost of a path, when number < divisor, as in most calls.
  static std::size_t remainder(std::size_t number, std::size_t divisor) {
    return number < divisor ? number : number % divisor;
  }

  /// For a host: the leaf of its first NIC, and the spine for traffic to it.
  struct Place {
    std::uint32_t leaf = 0;
    std::uint32_t spine = 0;
  };

  Plan plan_;
  std::vector<Place> places_;                ///< by host
  std::vector<std::int64_t> towards_hosts_;  ///< by leaf: total rate of its ports in bytes/s
};

/// The plan of a fabric; without a specification, one switch connects all NICs. `widest_host` is
/// the largest number of NICs in one host. Reports unknown parts and sizes out of range.
[[nodiscard]] Fabric::Plan plan_fabric(const std::optional<input::At<FabricSpec>>& fabric,
                                       std::size_t hosts, std::size_t widest_host,
                                       const Catalog& catalog, input::Diagnostics& diagnostics);

/// The leaf that the scenario assigns to a host, from 0; reports one that does not exist.
[[nodiscard]] std::optional<std::size_t> stated_leaf(
    const std::optional<input::At<std::int64_t>>& leaf, const Fabric::Plan& plan,
    input::Diagnostics& diagnostics);

/// Assumptions about the fabric of that many hosts, as sentences.
[[nodiscard]] std::vector<std::string> fabric_assumptions(
    const std::optional<input::At<FabricSpec>>& fabric, const Fabric::Plan& plan,
    std::size_t hosts);

/// Adds the port of each NIC of a host: a resource for each direction, at the lower of the rates of
/// NIC and switch port.
void add_ports(Topology& topology, std::size_t host, const Fabric::Plan& plan);

}  // namespace vgsim::topology
