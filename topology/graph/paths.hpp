#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "topology/graph/graph.hpp"
#include "topology/graph/path_class.hpp"

namespace vgsim::topology {

struct Path {
  PathClass path_class = PathClass::kDis;
  std::vector<Edge> links;  ///< in travel order; empty for kLoc and kDis

  /// The sum of the links' one-way latencies.
  [[nodiscard]] SimTime latency(const Topology& topology) const;
};

/// Links that a path can use.
enum class Travel : std::uint8_t {
  kAny,       ///< NVLink and PCIe, inside the host
  kPcieOnly,  ///< the PCIe tree and the links between sockets, never NVLink
};

/// The best paths inside one host from one device to every vertex.
///
/// Order of paths, as in NCCL: better class, then wider narrowest link, then fewer hops. A path
/// passes through a GPU only as the single hop of kNvb, and never through a NIC, a memory or a
/// drive.
class HostPaths {
 public:
  HostPaths(const Topology& topology, Vertex from, Travel travel);

  /// The path to `to`; of class kDis if there is none inside the host.
  [[nodiscard]] Path to(Vertex to) const;
  [[nodiscard]] PathClass class_to(Vertex to) const;

 private:
  struct Label {
    PathClass path_class = PathClass::kDis;
    std::int64_t width = 0;  ///< bytes/s of the narrowest link so far
    std::int32_t hops = 0;
    std::int32_t switches = 0;
    std::optional<Edge> last;
  };

  [[nodiscard]] std::optional<Label> extend(const Label& label, const Edge& edge) const;
  [[nodiscard]] Label label_of(Vertex v) const;
  [[nodiscard]] static bool better(const Label& a, const Label& b);

  const Topology* topology_;
  Vertex from_;
  Travel travel_;
  std::vector<std::pair<Vertex, Label>> labels_;  ///< of the reached vertices, ascending
};

/// Whether the PCIe path between two devices stays within one root complex.
[[nodiscard]] bool shares_root_complex(const Topology& topology, Vertex a, Vertex b);
/// The same for many targets: `from` contains the PCIe paths of the first device.
[[nodiscard]] bool shares_root_complex(const Topology& topology, const HostPaths& from, Vertex to);

}  // namespace vgsim::topology
