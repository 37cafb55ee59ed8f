#include "topology/importers/infragraph/infragraph_fabric.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "topology/importers/infragraph/infragraph_slices.hpp"
#include "topology/importers/infragraph/infragraph_words.hpp"
#include "topology/importers/text.hpp"

namespace vgsim::topology::infragraph {
namespace {

/// A name and a slice, "host[0:2]".
struct Part {
  std::string name;
  Slice slice;
};

Part part_of(const std::string& text) {
  const std::size_t bracket = std::min(text.find('['), text.size());
  return {text.substr(0, bracket), parse_slice(text.substr(bracket)).value_or(Slice{})};
}

/// An inventory is of one host, so the network between hosts is only counted: edges by the kinds of
/// instances that they join and by their link, without being expanded.
class Fabric {
 public:
  Fabric(const Document& document, const DeviceIndex& devices)
      : document_(document), devices_(devices) {
    for (const Instance& instance : document.instances) {
      instances_.emplace(instance.name, &instance);
    }
    for (const Link& link : document.links) links_.emplace(link.name, &link);
  }

  [[nodiscard]] std::vector<std::string> describe();

 private:
  /// How many ends an endpoint stands for, as far as that is known; counts are at most a million.
  [[nodiscard]] double ends(const Endpoint& endpoint);
  [[nodiscard]] std::string instances() const;
  [[nodiscard]] std::string rate_of(const std::string& link) const;

  const Document& document_;
  const DeviceIndex& devices_;
  std::map<std::string, const Instance*> instances_;
  std::map<std::string, const Link*> links_;
  std::map<const Device*, std::map<std::string_view, std::int64_t>> counts_;  ///< of components
};

double Fabric::ends(const Endpoint& endpoint) {
  const auto size = [](const Part& part, std::int64_t count) {
    // Counts may be missing, where an index says enough.
    return part.slice.is_index ? 1.0 : static_cast<double>(size_of(part.slice, count));
  };
  const Part owner = part_of(endpoint.owner);
  const Part part = part_of(endpoint.component.substr(0, endpoint.component.find('.')));
  const auto instance = instances_.find(owner.name);
  if (instance == instances_.end()) return 1.0;
  const double owners = size(owner, instance->second->count);
  const Device* device = devices_.find(instance->second->device);
  if (device == nullptr) return owners;
  auto& counts = counts_[device];
  if (counts.empty()) {
    for (const Component& component : device->components) {
      counts.emplace(component.name, component.count.value_or(1));
    }
  }
  const auto count = counts.find(part.name);
  return count == counts.end() ? owners : owners * size(part, count->second);
}

std::string Fabric::instances() const {
  std::vector<std::string> names;
  for (const Instance& instance : document_.instances) {
    const Device* device = devices_.find(instance.device);
    if (device != nullptr && devices_.contents(*device).gpu) continue;
    names.push_back(fmt::format("{} x {} ({})", instance.count, instance.name, instance.device));
  }
  return names.empty() ? std::string() : few_of(names);
}

std::string Fabric::rate_of(const std::string& link) const {
  const auto found = links_.find(link);
  if (found == links_.end() || !found->second->bandwidth) return {};
  const Bandwidth& bandwidth = *found->second->bandwidth;
  return fmt::format(", {:g} {} each", bandwidth.value, unit_text(bandwidth.unit));
}

std::vector<std::string> Fabric::describe() {
  std::map<std::tuple<std::string, std::string, std::string>, double> counts;
  for (const Edge& edge : document_.edges) {
    const double a = ends(edge.ep1);
    const double b = ends(edge.ep2);
    const bool is_each = edge.scheme.value_or(Scheme::kOneToOne) == Scheme::kManyToMany;
    const double edges = is_each ? a * b : std::min(a, b);
    counts[{part_of(edge.ep1.owner).name, part_of(edge.ep2.owner).name, edge.link}] += edges;
  }
  std::vector<std::string> found;
  for (const auto& [key, count] : counts) {
    const auto& [a, b, link] = key;
    found.push_back(
        fmt::format("{} to {} over {} ({:.0f} edges{})", a, b, link, count, rate_of(link)));
  }
  std::vector<std::string> sentences;
  const std::string others = instances();
  if (!others.empty()) sentences.push_back(fmt::format("what is not a GPU host: {}", others));
  if (!found.empty()) {
    sentences.push_back(
        fmt::format("the network between hosts, which no inventory holds: {}", few_of(found)));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> describe_fabric(const Document& document, const DeviceIndex& devices) {
  return Fabric(document, devices).describe();
}

}  // namespace vgsim::topology::infragraph
