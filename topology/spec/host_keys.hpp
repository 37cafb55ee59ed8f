#pragma once

#include "topology/input/record.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// What a scenario says of one host, for those who read more from the same object.
[[nodiscard]] input::Keys<HostSpec> host_keys();

/// The same of a host by itself.
[[nodiscard]] input::Decoder<HostSpec> host_decoder();

}  // namespace vgsim::topology
