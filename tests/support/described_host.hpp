#pragma once

#include <string>

#include "tests/support/scenarios.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/hosts/host_builder.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/spec/host_keys.hpp"

namespace vgsim::test {

/// Adds the host that a text describes as a scenario does; its files lie in the working folder.
inline void add_described_host(topology::Topology& topology, const std::string& name,
                               const std::string& json, input::Diagnostics& diagnostics) {
  const auto value = input::read_json(input::make_source("host.json", json)).value();
  const topology::HostSpec spec = topology::host_decoder().read(value, diagnostics);
  topology::build_host(topology, *library().catalog, name, spec, value.origin(),
                       cli::loader_relative_to("host.json"), diagnostics);
}

}  // namespace vgsim::test
