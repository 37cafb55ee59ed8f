#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/import/table/host_table.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// The part of a scenario from lines of host tables: "vsphere", "hosts", a VM on each with all
/// its GPUs and NICs in passthrough, the network between several, and the VMs of the job: those
/// of the line with the most hosts with NICs, or of one host. Null without lines.
///
/// Errors, each at its cell: E534 for servers, GPUs and NICs that are not in the catalogue,
/// with the nearest names, for more GPUs than slots, and for a second version of vSphere.
[[nodiscard]] tl::expected<nlohmann::ordered_json, input::Diagnostics> planned_scenario(
    const std::vector<vsphere::import::PlannedHosts>& planned, const topology::Catalog& catalog);

}  // namespace vgsim::cli
