#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// Joins the NICs of all hosts by leaf and spine switches, as `fabric` (a value of
/// fabric_shape(), or nothing) says. Without it one switch joins all of them.
///
/// `leaf_of_host` holds what each host says of its leaf (from 1). Hosts that say nothing are
/// spread over the leaves in equal blocks. Every link runs at the slower of NIC port and switch
/// port. Returns the assumptions made, in words; reports unknown parts and leaves.
[[nodiscard]] std::vector<std::string> build_fabric(
    Topology& topology, const Catalog& catalog, const std::optional<input::Value>& fabric,
    const std::vector<std::optional<input::Value>>& leaf_of_host, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
