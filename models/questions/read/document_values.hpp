#pragma once

#include <map>
#include <string>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// Of what is simulated, however it is written: a new sentence in the description or another
/// expectation changes nothing.
[[nodiscard]] std::string simulated_fingerprint(const Document& document);

/// The same key by key: by JSON pointer the value in short, the same for the same value. Of a large
/// document the keys further down are told together, so that there are 1000 or fewer where its
/// uppermost keys are.
[[nodiscard]] std::map<std::string, std::string> simulated_values(const Document& document);

}  // namespace vgsim::scenario
