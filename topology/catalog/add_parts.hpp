#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/input/entries.hpp"

namespace vgsim::topology {

/// Gives the catalogue the parts of that kind, of which the entries fit their shape; most are read
/// when they are first asked for.
void add_parts(Catalog& catalog, const std::string& kind, const input::Entries& entries);

}  // namespace vgsim::topology
