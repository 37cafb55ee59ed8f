#include "models/collectives/placed_network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vgsim::collectives {
namespace {

/// The host that each resource of a topology belongs to.
std::vector<std::size_t> owners(const topology::Topology& topology) {
  std::vector<std::size_t> owner(topology.resources.size(), 0);
  for (const topology::Edge& edge : topology.edges()) {
    const topology::Link& link = topology.link(edge);
    const auto host = topology.node(edge.source).host;
    if (link.resource) owner[*link.resource] = static_cast<std::size_t>(host);
    if (!link.root) continue;
    for (const topology::LinkResourceIndex resource : link.root->resources()) {
      owner[resource] = static_cast<std::size_t>(host);
    }
  }
  for (std::size_t r = 0; r < owner.size(); ++r) {
    if (topology.resources[r].host) owner[r] = *topology.resources[r].host;
  }
  for (std::size_t h = 0; h < topology.hosts.size(); ++h) {
    for (const topology::HostNic& nic : topology.hosts[h].nics) owner[nic.out] = owner[nic.in] = h;
  }
  return owner;
}

}  // namespace

PlacedNetwork::PlacedNetwork(const topology::Topology& topology, const topology::Fabric& fabric,
                             std::span<const std::size_t> kind_of_host,
                             std::vector<std::size_t> class_of_host,
                             std::span<const Ratio> capacity)
    : topology_(&topology), fabric_(&fabric), class_of_host_(std::move(class_of_host)) {
  std::vector<std::uint32_t> first_host;
  std::vector<std::uint32_t> copies;
  for (std::size_t h = 0; h < class_of_host_.size(); ++h) {
    if (class_of_host_[h] >= copies.size()) {
      first_host.resize(class_of_host_[h] + 1, static_cast<std::uint32_t>(h));
      copies.resize(class_of_host_[h] + 1, 0);
      first_host[class_of_host_[h]] = static_cast<std::uint32_t>(h);
    }
    ++copies[class_of_host_[h]];
  }
  const std::vector<std::size_t> owner = owners(topology);
  std::vector<std::vector<std::uint32_t>> of_kind(topology.hosts.size());
  local_.resize(owner.size());
  for (std::uint32_t r = 0; r < owner.size(); ++r) {
    local_[r] = static_cast<std::uint32_t>(of_kind[owner[r]].size());
    of_kind[owner[r]].push_back(r);
  }
  for (std::size_t c = 0; c < copies.size(); ++c) {
    first_.push_back(static_cast<std::uint32_t>(links_.size()));
    for (const std::uint32_t r : of_kind[kind_of_host[first_host[c]]]) {
      network_.resources.add(capacity[r]);
      links_.push_back({r, first_host[c], copies[c], {}});
    }
  }
  coefficient_.resize(links_.size(), 0);
}

std::vector<std::size_t> PlacedNetwork::every_host_alone(std::size_t hosts) {
  std::vector<std::size_t> classes(hosts);
  for (std::size_t h = 0; h < hosts; ++h) classes[h] = h;
  return classes;
}

topology::LinkKind PlacedNetwork::kind(ResourceId id) const {
  const PlacedLink& placed = link(id);
  return placed.built ? topology_->resources[*placed.built].kind : topology::LinkKind::kFabric;
}

ResourceId PlacedNetwork::resource_in(std::size_t host, topology::LinkResourceIndex built) const {
  return ResourceId{first_[class_of_host_[host]] + local_[built]};
}

ResourceId PlacedNetwork::resource_of(const topology::FabricLink& link) {
  const std::size_t place =
      (link.leaf * fabric_->plan().spines + link.spine) * 2 + (link.up ? 1 : 0);
  if (place >= fabric_links_.size()) fabric_links_.resize(2 * place + 2, kNone);
  std::uint32_t& known = fabric_links_[place];
  if (known == kNone) {
    known = static_cast<std::uint32_t>(links_.size());
    network_.resources.add(Ratio(fabric_->rate(link).count()));
    links_.push_back({std::nullopt, 0, 1, link});
    coefficient_.push_back(0);
  }
  return ResourceId{known};
}

void PlacedNetwork::set_equivalent_links(
    const std::vector<std::vector<topology::FabricLink>>& classes) {
  alike_ = classes;
  for (std::size_t c = 0; c < alike_.size(); ++c) {
    for (const topology::FabricLink& link : alike_[c]) class_of_link_[link] = c;
  }
}

std::vector<topology::FabricLink> PlacedNetwork::alike(const topology::FabricLink& link) const {
  const auto found = class_of_link_.find(link);
  return found == class_of_link_.end() ? std::vector{link} : alike_[found->second];
}

topology::FabricLink PlacedNetwork::first_alike(const topology::FabricLink& link) const {
  const auto found = class_of_link_.find(link);
  return found == class_of_link_.end() ? link : alike_[found->second].front();
}

void PlacedNetwork::leave_out(topology::LinkKind kind) {
  left_out_ = kind;
  Network relaxed;
  relaxed.resources = network_.resources;
  relaxed.capacity_changes = network_.capacity_changes;
  for (std::uint32_t r = 0; r < network_.routes.size(); ++r) {
    std::vector<Crossing> crossings;
    for (const Crossing& c : network_.routes.crossings(RouteId{r})) {
      if (this->kind(c.resource) != kind) crossings.push_back(c);
    }
    static_cast<void>(relaxed.routes.add(std::move(crossings)));
  }
  network_ = std::move(relaxed);
}

void PlacedNetwork::Route::add(std::uint32_t resource, std::int64_t coefficient) {
  std::int64_t& sum = network_->coefficient_[resource];
  if (sum == 0) touched_.push_back(resource);
  sum += coefficient;
}

void PlacedNetwork::Route::cross(std::size_t host, std::span<const Crossing> crossings,
                                 std::int64_t times) {
  for (const Crossing& c : crossings) {
    const auto built = static_cast<topology::LinkResourceIndex>(c.resource);
    add(static_cast<std::uint32_t>(network_->resource_in(host, built)), c.coefficient * times);
  }
}

void PlacedNetwork::Route::cross(const topology::FabricPath& path, std::int64_t times) {
  for (const auto& link : {path.up, path.down}) {
    if (link) add(static_cast<std::uint32_t>(network_->resource_of(*link)), times);
  }
}

std::vector<Crossing> PlacedNetwork::Route::crossings() && {
  std::vector<Crossing> crossings;
  for (const std::uint32_t r : touched_) {
    const std::int64_t coefficient = std::exchange(network_->coefficient_[r], 0);
    if (network_->left_out_ == network_->kind(ResourceId{r})) continue;
    crossings.push_back({ResourceId{r}, coefficient});
  }
  return crossings;
}

RouteId PlacedNetwork::Route::of_each_host() && {
  return network_->network_.routes.add(std::move(*this).crossings());
}

RouteId PlacedNetwork::Route::through_all_hosts() && {
  for (const std::uint32_t r : touched_) {
    const auto copies = static_cast<std::int64_t>(network_->links_[r].copies);
    if (network_->coefficient_[r] % copies != 0) {
      throw std::logic_error("hosts of one class carry different parts of a flow");
    }
    network_->coefficient_[r] /= copies;
  }
  return std::move(*this).of_each_host();
}

}  // namespace vgsim::collectives
