#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// A place where two layouts differ.
struct DocumentChange {
  std::string pointer;  ///< JSON pointer; "*" for all hosts (or VMs), "esx01 and 3 more" for some
  std::string before;   ///< as written; empty where it is not said
  std::string after;
};

/// What differs between two layouts (LayoutInput::document), in the order of the files. Names,
/// schemas and expectations do not count. The same change of many hosts or VMs is said once.
[[nodiscard]] std::vector<DocumentChange> document_changes(const Document& before,
                                                           const Document& after);

}  // namespace vgsim::scenario
