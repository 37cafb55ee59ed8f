#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/studio/panel/controls.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// Controls whose choices depend on the GPUs of the hosts: number of hosts, model and number of
/// GPUs, bridges, and how VMs get theirs.
[[nodiscard]] nlohmann::ordered_json device_controls(const input::Value& scenario,
                                                     const scenario::Library& library,
                                                     const Scope& scope);

}  // namespace vgsim::studio
