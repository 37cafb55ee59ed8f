#include "topology/hosts/compare_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "topology/graph/paths.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::topology {
namespace {

/// A host with the properties to compare.
class Compared {
 public:
  Compared(const Topology& topology, std::string name)
      : topology_(topology), host_(topology.hosts.front()), name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t gpus() const { return host_.gpus.size(); }
  [[nodiscard]] std::size_t nics() const { return host_.nics.size(); }
  [[nodiscard]] const std::string& nic_name(std::size_t n) const { return host_.nics[n].name; }

  [[nodiscard]] PathClass between(std::size_t g, std::size_t h, Travel travel) const {
    const PathClass found = HostPaths(topology_, host_.gpus[g], travel).class_to(host_.gpus[h]);
    return across_nodes(found, host_.gpus[g], host_.gpus[h]);
  }
  /// Path classes from a NIC to each GPU.
  [[nodiscard]] std::vector<PathClass> classes_of_nic(std::size_t n) const {
    const HostPaths paths(topology_, host_.nics[n].vertex, Travel::kPcieOnly);
    std::vector<PathClass> classes;
    for (const Vertex gpu : host_.gpus) {
      classes.push_back(across_nodes(paths.class_to(gpu), host_.nics[n].vertex, gpu));
    }
    return classes;
  }
  [[nodiscard]] std::size_t nodes_per_socket() const {
    return host_.packages == 0 ? 1 : host_.sockets.size() / host_.packages;
  }
  [[nodiscard]] bool has_nvlinks() const {
    return std::any_of(host_.gpus.begin(), host_.gpus.end(),
                       [&](Vertex gpu) { return nvlink_rate(gpu) > BytesPerSecond{}; });
  }
  [[nodiscard]] BytesPerSecond gpu_nvlink_rate(std::size_t g) const {
    return nvlink_rate(host_.gpus[g]);
  }
  /// Rate of the narrowest PCIe link between a GPU and its NUMA node.
  [[nodiscard]] BytesPerSecond gpu_pcie_rate(std::size_t g) const {
    const HostPaths paths(topology_, host_.gpus[g], Travel::kPcieOnly);
    std::optional<Path> nearest;
    for (const Vertex socket : host_.sockets) {
      Path path = paths.to(socket);
      if (path.path_class == PathClass::kDis) continue;
      if (!nearest || path.links.size() < nearest->links.size()) nearest = std::move(path);
    }
    std::optional<BytesPerSecond> narrowest;
    if (!nearest) return {};
    for (const Edge& edge : nearest->links) {
      const Link& link = topology_.link(edge);
      if (link.kind != LinkKind::kPcie || !link.resource) continue;
      const BytesPerSecond rate = topology_.resources[*link.resource].line_rate;
      narrowest = narrowest ? std::min(*narrowest, rate) : rate;
    }
    return narrowest.value_or(BytesPerSecond{});
  }

 private:
  /// The number of NUMA nodes per socket is a BIOS setting (NPS, SNC), so SYS between nodes of one
  /// socket counts as PHB.
  [[nodiscard]] PathClass across_nodes(PathClass found, Vertex a, Vertex b) const {
    return found == PathClass::kSys && socket_of(a) == socket_of(b) ? PathClass::kPhb : found;
  }

  [[nodiscard]] std::size_t socket_of(Vertex device) const {
    const HostPaths paths(topology_, device, Travel::kPcieOnly);
    std::size_t nearest = 0;
    for (std::size_t s = 1; s < host_.sockets.size(); ++s) {
      if (paths.class_to(host_.sockets[s]) < paths.class_to(host_.sockets[nearest])) nearest = s;
    }
    return nearest / nodes_per_socket();
  }

  [[nodiscard]] BytesPerSecond nvlink_rate(Vertex gpu) const {
    BytesPerSecond sum{};
    for (const Edge& edge : topology_.edges_from(gpu)) {
      const Link& link = topology_.link(edge);
      if (link.kind == LinkKind::kNvLink && link.resource) {
        sum = BytesPerSecond{sum.count() + topology_.resources[*link.resource].line_rate.count()};
      }
    }
    return sum;
  }

  const Topology& topology_;
  const Host& host_;
  std::string name_;
};

std::string words(const std::vector<PathClass>& classes) {
  std::vector<std::string> texts;
  for (const PathClass each : classes) texts.emplace_back(to_string(each));
  return fmt::format("{}", fmt::join(texts, " "));
}

void compare_gpu_pairs(const Compared& a, const Compared& b, Travel travel, HostComparison& found) {
  const char* way = travel == Travel::kPcieOnly ? " over PCIe" : "";
  const std::size_t gpus = std::min(a.gpus(), b.gpus());
  for (std::size_t g = 0; g < gpus; ++g) {
    for (std::size_t h = g + 1; h < gpus; ++h) {
      const PathClass in_a = a.between(g, h, travel);
      const PathClass in_b = b.between(g, h, travel);
      ++found.compared;
      if (in_a == in_b) continue;
      found.paths.push_back(fmt::format("GPU {} to GPU {}{}: {} in {}, {} in {}", g, h, way,
                                        to_string(in_a), a.name(), to_string(in_b), b.name()));
    }
  }
}

void compare_nics(const Compared& a, const Compared& b, HostComparison& found) {
  std::vector<std::vector<PathClass>> slots;
  for (std::size_t n = 0; n < b.nics(); ++n) slots.push_back(b.classes_of_nic(n));
  if (slots.empty()) return;
  for (std::size_t n = 0; n < a.nics(); ++n) {
    const std::vector<PathClass> classes = a.classes_of_nic(n);
    found.compared += classes.size();
    if (std::find(slots.begin(), slots.end(), classes) != slots.end()) continue;
    found.paths.push_back(
        fmt::format("the path of {} to the GPUs is {} in {}, unlike every slot of {}",
                    a.nic_name(n), words(classes), a.name(), b.name()));
  }
}

void compare_speed(const std::string& what, BytesPerSecond in_a, BytesPerSecond in_b,
                   const Compared& a, const Compared& b, HostComparison& found) {
  if (in_a == in_b) return;
  found.speeds.push_back(fmt::format("{}: {} in {}, {} in {}", what, input::format_rate(in_a),
                                     a.name(), input::format_rate(in_b), b.name()));
}

}  // namespace

HostComparison compare_hosts(const Topology& a, const std::string& a_name, const Topology& b,
                             const std::string& b_name) {
  const Compared left(a, a_name);
  const Compared right(b, b_name);
  HostComparison found;
  if (left.gpus() != right.gpus()) {
    found.paths.push_back(
        fmt::format("{} GPUs in {}, {} in {}", left.gpus(), a_name, right.gpus(), b_name));
  }
  if (left.nodes_per_socket() != right.nodes_per_socket()) {
    found.settings.push_back(
        fmt::format("NUMA nodes of a socket, a setting of the BIOS: {} in {}, {} in {}; paths "
                    "between them count "
                    "as within the socket",
                    left.nodes_per_socket(), a_name, right.nodes_per_socket(), b_name));
  }
  const bool nvlinks = left.has_nvlinks() && right.has_nvlinks();
  if (nvlinks) compare_gpu_pairs(left, right, Travel::kAny, found);
  compare_gpu_pairs(left, right, Travel::kPcieOnly, found);
  compare_nics(left, right, found);
  for (std::size_t g = 0; g < std::min(left.gpus(), right.gpus()); ++g) {
    compare_speed(fmt::format("PCIe of GPU {}", g), left.gpu_pcie_rate(g), right.gpu_pcie_rate(g),
                  left, right, found);
    if (nvlinks) {
      compare_speed(fmt::format("NVLinks of GPU {}", g), left.gpu_nvlink_rate(g),
                    right.gpu_nvlink_rate(g), left, right, found);
    }
  }
  return found;
}

}  // namespace vgsim::topology
