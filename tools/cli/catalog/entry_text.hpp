#pragma once

#include <string>

#include "tools/cli/catalog/kinds.hpp"

namespace vgsim::cli {

/// An entry with all that is known of it, each value with its spread, source and note.
[[nodiscard]] std::string entry_text(const CatalogEntry& entry);

}  // namespace vgsim::cli
