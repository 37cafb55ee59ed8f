#pragma once

#include <string>

#include "tools/catalog/kinds.hpp"

namespace vgsim::catalog {

/// An entry with all that is known of it, each value with its spread, source and note.
[[nodiscard]] std::string entry_text(const Entry& entry);

}  // namespace vgsim::catalog
