#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// Builds a host from a server of the catalogue and what `value` (of host_shape()) says of it.
void build_server_host(DeviceBuilder& devices, const ServerModel& server, const input::Value& value,
                       input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
