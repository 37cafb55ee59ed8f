#pragma once

#include "topology/catalog/parts.hpp"
#include "topology/device_builder.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// Builds a host from a catalogue server and its specification in a scenario.
void build_server_host(DeviceBuilder& devices, const ServerModel& server, const HostSpec& spec,
                       input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
