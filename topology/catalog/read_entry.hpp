#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// Adds one checked entry of a catalogue file of that kind; `sources` is the file's table.
void read_entry(Catalog& catalog, const std::string& kind, const std::string& id,
                const input::Value& entry, const input::Value& sources);

}  // namespace vgsim::topology
