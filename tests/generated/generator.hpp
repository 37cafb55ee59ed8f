#pragma once

#include <cstdint>

#include "tests/generated/words.hpp"

namespace vgsim::generated {

/// A scenario over the whole language, the same for the same seed and number: mostly one that
/// runs, and else one that must be refused with a reason. Files that it names lie beside
/// configs/scenarios.
[[nodiscard]] Json generate(const Words& words, std::uint64_t seed, std::uint64_t number);

}  // namespace vgsim::generated
