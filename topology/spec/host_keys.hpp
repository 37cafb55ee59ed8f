#pragma once

#include "topology/input/record.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// The keys of one host in a scenario, for records with further keys in the same object.
[[nodiscard]] input::Keys<HostSpec> host_keys();

/// Decoder of a host without further keys.
[[nodiscard]] input::Decoder<HostSpec> host_decoder();

}  // namespace vgsim::topology
