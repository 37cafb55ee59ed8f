#pragma once

#include "topology/input/record.hpp"
#include "topology/spec/server_spec.hpp"

namespace vgsim::topology {

/// What a scenario says of a server that the catalogue lacks.
[[nodiscard]] input::Keys<ServerSpec> server_keys();

/// The name of a server, or what the keys say.
[[nodiscard]] input::Decoder<ServerChoice> server_choice();

}  // namespace vgsim::topology
