#pragma once

#include "topology/input/shape.hpp"

namespace vgsim::topology {

/// What a scenario says of one host: a catalogue server or an imported dump, and what differs.
[[nodiscard]] input::Shape host_shape();

/// What a scenario says of the network between hosts.
[[nodiscard]] input::Shape fabric_shape();

}  // namespace vgsim::topology
