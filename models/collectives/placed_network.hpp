#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/network.hpp"
#include "topology/fabric.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::collectives {

/// A link of a host or of the fabric; a ResourceId of a PlacedNetwork identifies it.
struct PlacedLink {
  /// Index into the topology; nothing for a fabric link.
  std::optional<topology::LinkResourceIndex> built;
  std::uint32_t host = 0;  ///< the first host of the class
  std::uint32_t copies = 1;
  topology::FabricLink fabric;
};

/// The links of all hosts and the fabric as resources of the simulation.
///
/// The topology holds one host of each kind. Hosts of one class share their resources. This is
/// exact if all of them carry the same traffic at any time: a flow then represents the flows of all
/// hosts of the class. A flow through all hosts of a class in sequence, such as a ring, loads each
/// host once; the route divides by the number of hosts, and throws if there is a remainder.
class PlacedNetwork {
 public:
  /// Hosts of a class must be of one kind. `kind_of_host` is an index into topology.hosts for each
  /// host, `class_of_host` is numbered from 0 without gaps, `capacity` is by resource of the
  /// topology.
  PlacedNetwork(const topology::Topology& topology, const topology::Fabric& fabric,
                std::span<const std::size_t> kind_of_host, std::vector<std::size_t> class_of_host,
                std::span<const Ratio> capacity);

  /// Every host in a separate class.
  [[nodiscard]] static std::vector<std::size_t> every_host_alone(std::size_t hosts);

  /// Collects the crossings of one route.
  class Route {
   public:
    explicit Route(PlacedNetwork& network) : network_(&network) {}
    /// Crossings in the topology's resources, in one host.
    void cross(std::size_t host, std::span<const Crossing> crossings, std::int64_t times = 1);
    void cross(const topology::FabricPath& path, std::int64_t times = 1);
    /// Discards the route and returns its crossings.
    [[nodiscard]] std::vector<Crossing> crossings() &&;
    /// Ends a route that each host of a class has, such as the path of its GPU's data.
    [[nodiscard]] RouteId of_each_host() &&;
    /// Ends a route through all hosts of its classes. Throws std::logic_error if hosts of a class
    /// are crossed unequally.
    [[nodiscard]] RouteId through_all_hosts() &&;

   private:
    void add(std::uint32_t resource, std::int64_t coefficient);

    PlacedNetwork* network_;
    std::vector<std::uint32_t> touched_;
  };

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] const PlacedLink& link(ResourceId id) const {
    return links_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] topology::LinkKind kind(ResourceId id) const;
  /// Whether some hosts share their resources.
  [[nodiscard]] bool has_shared_hosts() const { return first_.size() < class_of_host_.size(); }
  [[nodiscard]] std::size_t class_of(std::size_t host) const { return class_of_host_[host]; }
  /// The resource of a topology link in one host and in all hosts of its class.
  [[nodiscard]] ResourceId resource_in(std::size_t host, topology::LinkResourceIndex built) const;
  [[nodiscard]] ResourceId resource_of(const topology::FabricLink& link);
  /// Sets the fabric links that carry the same traffic while all ranks send to all.
  void set_equivalent_links(const std::vector<std::vector<topology::FabricLink>>& classes);
  /// The links equivalent to a link, including itself.
  [[nodiscard]] std::vector<topology::FabricLink> alike(const topology::FabricLink& link) const;
  /// The first link equivalent to a link.
  [[nodiscard]] topology::FabricLink first_alike(const topology::FabricLink& link) const;
  /// Makes every link of a kind infinitely fast: no route crosses it.
  void leave_out(topology::LinkKind kind);
  [[nodiscard]] std::optional<topology::LinkKind> left_out() const { return left_out_; }

 private:
  static constexpr auto kNone = static_cast<std::uint32_t>(-1);

  const topology::Topology* topology_;
  const topology::Fabric* fabric_;
  std::vector<std::size_t> class_of_host_;
  std::vector<std::uint32_t> local_;  ///< by resource of the topology: number in its host
  std::vector<std::uint32_t> first_;  ///< by class: its resource number 0
  std::vector<PlacedLink> links_;     ///< by ResourceId
  /// By leaf, spine and direction: the resource of a fabric link; kNone before its first use.
  std::vector<std::uint32_t> fabric_links_;
  std::vector<std::vector<topology::FabricLink>> alike_;
  std::map<topology::FabricLink, std::size_t> class_of_link_;  ///< into alike_
  std::vector<std::int64_t> coefficient_;                      ///< scratch of Route, by ResourceId
  std::optional<topology::LinkKind> left_out_;
  Network network_;
};

}  // namespace vgsim::collectives
