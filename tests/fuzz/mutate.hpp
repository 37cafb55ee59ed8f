#pragma once

#include <random>
#include <string>
#include <vector>

namespace vgsim::fuzz {

/// A damaged copy of one of the texts: bits flipped, bytes and lines taken out, doubled or moved,
/// parts of another text put in, numbers made extreme, the end cut off; one to eight such changes.
/// Every other JSON text stays JSON, with other values at its places.
[[nodiscard]] std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random);

}  // namespace vgsim::fuzz
