#pragma once

#include "topology/input/record.hpp"
#include "topology/spec/server_spec.hpp"

namespace vgsim::topology {

/// The keys of a server that a scenario describes.
[[nodiscard]] input::Keys<ServerSpec> server_keys();

/// Decoder of the name of a server or of these keys.
[[nodiscard]] input::Decoder<ServerChoice> server_choice();

}  // namespace vgsim::topology
