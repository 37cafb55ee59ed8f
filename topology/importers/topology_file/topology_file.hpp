#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

inline constexpr const char* kTopologyFormat = "vgsim.topology/1";

/// Whether a text names that format at its beginning.
[[nodiscard]] bool is_topology_text(std::string_view text);

/// A file of `vgsim.topology/1`: what is known of one host, as a list of NUMA nodes and one of
/// devices, each under a bridge or a NUMA node.
///
/// "from" says which file told the values of an object: a path, or an object with "*" for all keys
/// that it does not name. An object without it has that of the object around it. "not_told" lists
/// what is worth knowing of a thing but in none of the files; nothing is read from it.
[[nodiscard]] input::Shape topology_shape();

/// The inventory as such a file: JSON with a newline at the end.
[[nodiscard]] std::string to_topology_text(const Inventory& host);

/// Reads such a file. Errors: whatever does not fit topology_shape(), names that are unknown or
/// taken, cycles, another format.
[[nodiscard]] tl::expected<Inventory, input::Diagnostics> read_topology_file(
    const input::SourcePtr& source);

}  // namespace vgsim::topology::inventory
