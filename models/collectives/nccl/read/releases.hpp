#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/collectives/nccl/constants.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::collectives::nccl {

/// A listed release of NCCL.
struct Release {
  Constants constants;
  Version since;  ///< the first release with these values, if known
};

/// The listed releases, oldest first; at least one.
using Releases = std::vector<Release>;

/// The shape of `configs/nccl/releases.json`.
[[nodiscard]] input::Shape releases_shape();

/// The shape of all constants of one release.
[[nodiscard]] input::Shape release_values_shape();

/// Reads that file. Errors: values that do not match the shape, alone or merged with the previous
/// releases; an unknown source; releases that are not in ascending order.
[[nodiscard]] tl::expected<Releases, input::Diagnostics> read_releases(
    const input::SourcePtr& file);

/// The constants of a version: "2.18.6", "2.18" (its last listed patch), or "newest". An unlisted
/// version has the values of the previous listed one. The error states what was expected.
[[nodiscard]] tl::expected<Constants, std::string> constants_of(const Releases& releases,
                                                                std::string_view version);

}  // namespace vgsim::collectives::nccl
