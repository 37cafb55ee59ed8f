#pragma once

#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::vsphere {

/// The document of a file, if it fits the shape; of one that has been checked
/// (input::SourceFile), the document.
[[nodiscard]] tl::expected<input::Value, input::Diagnostics> read_checked(
    const input::SourcePtr& file, input::Shape (*shape)());

}  // namespace vgsim::vsphere
