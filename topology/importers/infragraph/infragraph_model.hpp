#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

/// InfraGraph documents, an exchange format for infrastructure (github.com/Keysight/infragraph):
/// devices made of components, links and edges; instances of devices; edges between instances.
/// An edge stands for many: its ends name components with slices, "xpu[0:4]".
namespace vgsim::topology::infragraph {

/// A stretch of the text that was read; of documents made in memory, nothing.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 1;
};

enum class ComponentKind : std::uint8_t {
  kCustom,  ///< see Component::custom_type
  kDevice,  ///< another device of the document, by the component's name
  kCpu,
  kXpu,  ///< older: npu
  kNic,
  kMemory,
  kPort,
  kSwitch,
};

struct Component {
  std::string name;
  std::string description;
  ComponentKind kind = ComponentKind::kCustom;
  std::string custom_type;            ///< of kCustom, such as "pci_bridge"; may be empty
  std::optional<std::int64_t> count;  ///< per device; old documents leave it out
  Place place{};
};

enum class BandwidthUnit : std::uint8_t { kGigabits, kGigabytes, kGigatransfers };

struct Bandwidth {
  double value = 0.0;  ///< per second
  BandwidthUnit unit = BandwidthUnit::kGigabytes;
};

struct Link {
  std::string name;
  std::string description;
  std::optional<Bandwidth> bandwidth;
};

/// One end of an edge. Between instances `owner` is one of them, "host[0:2]"; within a device it is
/// the component that a device stands behind, "cx5[0:8]", or empty.
struct Endpoint {
  std::string owner;
  std::string component;  ///< "xpu", "xpu[3]", "xpu[0:8:2]", "cx5[0].port[1]"
  Place place{};
};

enum class Scheme : std::uint8_t {
  kOneToOne,    ///< the first of one end with the first of the other, and so on
  kManyToMany,  ///< each of one end with each of the other
  kRing,        ///< each with the next, the last with the first
};

struct Edge {
  Endpoint ep1;
  Endpoint ep2;
  std::optional<Scheme> scheme;
  std::string link;
};

struct Device {
  std::string name;
  std::string description;
  std::vector<Component> components;
  std::vector<Link> links;
  std::vector<Edge> edges;
  Place place{};
};

struct Instance {
  std::string name;
  std::string device;
  std::int64_t count = 1;
  Place place{};
};

/// Names and values, in their order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

struct NodeAnnotation {
  std::string node;  ///< "host.0.xpu.3"
  Attributes attributes;
};

struct Document {
  std::string name;
  std::string description;
  std::vector<Device> devices;
  std::vector<Link> links;  ///< of the edges between instances
  std::vector<Instance> instances;
  std::vector<Edge> edges;
  std::vector<NodeAnnotation> nodes;  ///< annotations of nodes
  Attributes graph;                   ///< annotations of the whole
  input::Diagnostics warnings;        ///< what is odd in the text
};

/// "xpu" for kXpu, and so on: as documents write them.
[[nodiscard]] std::string_view to_word(ComponentKind kind);

/// As JSON of the schema 2.x: an Infrastructure, or if there are annotations, what the API's
/// get_graph answers: {"infrastructure": ..., "annotations": ...}. The same document always gives
/// the same text.
[[nodiscard]] std::string to_json(const Document& document);

}  // namespace vgsim::topology::infragraph
