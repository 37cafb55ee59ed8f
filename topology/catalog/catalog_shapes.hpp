#pragma once

#include <string>
#include <vector>

#include "topology/input/shapes/shape.hpp"

namespace vgsim::topology {

/// The kinds of parts in the catalogue, in listing order. Each is a file `<kind>.json` in
/// `configs/catalog/`.
[[nodiscard]] const std::vector<std::string>& catalog_kinds();

/// The shape of one catalogue file of that kind. Throws std::out_of_range for an unknown kind.
[[nodiscard]] input::Shape catalog_file_shape(const std::string& kind);

/// The shape of any catalogue file, for the published schema.
[[nodiscard]] input::Shape catalog_shape();

/// A value with its source: {"value": ..., "source": key}, and optionally its spread.
[[nodiscard]] input::Shape sourced(const input::Shape& value);

/// The table of sources at the top of a data file.
[[nodiscard]] input::Shape sources_shape();

/// An NVLink layout of GPUs; scenarios use it to complete an imported host.
/// `source_required` is true in the catalogue, where every value has a source.
[[nodiscard]] input::Shape nvlink_layout_shape(bool source_required);

}  // namespace vgsim::topology
