#pragma once

#include <vector>

#include "topology/input/shape.hpp"

namespace vgsim::topology {

/// What a scenario says of one host: a catalogue server or an imported dump, and what differs.
/// `more`: keys that others read from it.
[[nodiscard]] input::Shape host_shape(std::vector<input::Field> more = {});

/// What a scenario says of the network between hosts.
[[nodiscard]] input::Shape fabric_shape();

}  // namespace vgsim::topology
