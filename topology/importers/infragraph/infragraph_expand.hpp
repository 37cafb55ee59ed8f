#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/importers/infragraph/infragraph_devices.hpp"
#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/importers/infragraph/infragraph_words.hpp"

namespace vgsim::topology::infragraph {

/// One of the components that a component with a count stands for.
struct Vertex {
  const Component* component = nullptr;
  Role role = Role::kOther;
  std::string name;  ///< as annotations name it behind the instance: "xpu.3", "tray.0.xpu.1"
};

/// A pair of vertices, of which an edge stands for many. No two join the same vertices with the
/// same link.
struct Join {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  const Link* link = nullptr;  ///< never null
  LinkKind kind = LinkKind::kOther;
};

/// A device with the devices that it is composed of, every component and edge by itself. Network
/// cards that are described as devices of their own, with ports and a processor, count as one
/// component. Points into the document.
struct Expansion {
  std::vector<Vertex> vertices;
  std::vector<Join> joins;
  std::vector<std::string> assumed;  ///< sentences
  input::Diagnostics warnings;       ///< names and indexes that do not exist
};

/// Expands a device. Errors: more than 65536 components or some millions of edges, devices that are
/// nested more than 8 deep or in themselves, slices that are none.
[[nodiscard]] tl::expected<Expansion, input::Diagnostics> expand(const DeviceIndex& devices,
                                                                 const Device& device,
                                                                 const input::SourcePtr& source);

}  // namespace vgsim::topology::infragraph
