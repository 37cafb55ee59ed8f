#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/origin.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// Adds a host of a scenario to the topology. `at`: its position, for messages.
///
/// The host is a catalogue server or an imported dump; both give the same kind of graph. Reports
/// unknown parts, missing slots, impossible bridges and all errors of the importer; the topology
/// must not be used then.
void build_host(Topology& topology, const Catalog& catalog, const std::string& name,
                const HostSpec& spec, const input::Origin& at, const input::FileLoader& load,
                input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
