#pragma once

#include <string>

#include "tools/catalog/kinds.hpp"

namespace vgsim::catalog {

/// An entry with all its values, each with its spread, source and note.
[[nodiscard]] std::string entry_text(const Entry& entry);

}  // namespace vgsim::catalog
