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

/// Whether a text starts with the name of that format.
[[nodiscard]] bool is_topology_text(std::string_view text);

/// A file of `vgsim.topology/1`: the known facts of one host, as a list of NUMA nodes and a list of
/// devices, each below a bridge or a NUMA node.
///
/// "from" contains the source files of the values of an object: a path, or an object with "*" for
/// all keys that it does not name. An object without it has that of the enclosing object.
/// "not_told" lists important facts that none of the files states; it is not read back.
[[nodiscard]] input::Shape topology_shape();

/// The inventory in this format: JSON with a newline at the end.
[[nodiscard]] std::string to_topology_text(const Inventory& host);

/// Reads such a file. Errors: values that do not match topology_shape(), unknown or duplicate
/// names, cycles, another format.
[[nodiscard]] tl::expected<Inventory, input::Diagnostics> read_topology_file(
    const input::SourcePtr& source);

}  // namespace vgsim::topology::inventory
