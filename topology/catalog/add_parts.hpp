#pragma once

#include <string>

#include "topology/catalog/catalog.hpp"
#include "topology/input/entries.hpp"

namespace vgsim::topology {

/// Adds the parts of one kind, whose entries have passed their shape check; most are read on first
/// use.
void add_parts(Catalog& catalog, const std::string& kind, const input::Entries& entries);

}  // namespace vgsim::topology
