#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// Devices of a host that a NIC can be attached next to: "gpu0", "socket1".
[[nodiscard]] std::vector<std::string> neighbours_of_nics(const input::Value& scenario,
                                                          const std::string& host,
                                                          const scenario::Library& library);

/// Models that fit in each host for all of its NICs, with the network that they need.
/// `pointer`: of the model.
[[nodiscard]] nlohmann::ordered_json nic_choices(const input::Value& scenario,
                                                 const std::string& host,
                                                 const std::string& pointer,
                                                 const scenario::Library& library);

/// The places that give a NIC of that model a network as fast: ports of its rate, and switches
/// that have them; empty if it has that.
[[nodiscard]] nlohmann::ordered_json network_for(const input::Value& scenario,
                                                 const topology::NicModel& nic,
                                                 const topology::Catalog& catalog);

}  // namespace vgsim::studio
