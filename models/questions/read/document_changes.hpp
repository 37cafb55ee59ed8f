#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// A difference between two layouts.
struct DocumentChange {
  std::string pointer;  ///< JSON pointer; "*" for all hosts (or VMs), "esx01 and 3 more" for some
  std::string before;   ///< as written; empty if not set
  std::string after;
};

/// Differences between two layouts (LayoutInput::document), in file order, without names, schemas
/// and expectations. Equal changes of several hosts or VMs are merged.
[[nodiscard]] std::vector<DocumentChange> document_changes(const Document& before,
                                                           const Document& after);

}  // namespace vgsim::scenario
