#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/import/table/host_table.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// What the lines of host tables add to a scenario: "vsphere", "hosts", a VM for each of them with
/// all its GPUs and NICs in passthrough, the network between several, and in which VMs the job
/// runs: those of the line with most hosts that have NICs, or of one host. Null for none.
///
/// Errors, each at its cell: E534 for servers, GPUs and NICs that the catalogue does not have, with
/// the nearest, for more GPUs than the server has slots, and for a second version of vSphere.
[[nodiscard]] tl::expected<nlohmann::ordered_json, input::Diagnostics> planned_scenario(
    const std::vector<vsphere::import::PlannedHosts>& planned, const topology::Catalog& catalog);

}  // namespace vgsim::cli
