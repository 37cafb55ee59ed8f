#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// Devices of a host that a NIC can sit next to: "gpu0", "socket1".
[[nodiscard]] std::vector<std::string> neighbours_of_nics(const input::Value& scenario,
                                                          const std::string& host,
                                                          const scenario::Library& library);

/// The NICs that have a place in each host if all its NICs are of that model, with what the network
/// needs for them. `pointer`: where the model stands.
[[nodiscard]] nlohmann::ordered_json nic_choices(const input::Value& scenario,
                                                 const std::string& host,
                                                 const std::string& pointer,
                                                 const scenario::Library& library);

}  // namespace vgsim::studio
