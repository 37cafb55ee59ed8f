#pragma once

#include <map>
#include <string>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// Hash of the simulated content, independent of spelling, descriptions and expectations.
[[nodiscard]] std::string simulated_fingerprint(const Document& document);

/// The same by key: a short form of each value by JSON pointer. In large documents deeper keys are
/// merged, to at most 1000 entries (or the number of top-level keys).
[[nodiscard]] std::map<std::string, std::string> simulated_values(const Document& document);

}  // namespace vgsim::scenario
