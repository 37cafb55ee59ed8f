#pragma once

#include <string>
#include <tl/expected.hpp>

#include "tools/cli/scenario_input.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// A server of the catalogue with its default GPUs, as a tree with path classes and its NIC
/// slots.
[[nodiscard]] std::string server_text(const topology::ServerModel& server,
                                      const topology::Catalog& catalog);

/// The different hosts of a scenario's layouts, and their VMs with their devices. Errors: those
/// of the scenario.
[[nodiscard]] tl::expected<std::string, input::Diagnostics> scenario_hosts_text(
    const ScenarioInput& scenario, const scenario::Library& library);

}  // namespace vgsim::cli
