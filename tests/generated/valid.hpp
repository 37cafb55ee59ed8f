#pragma once

#include <cstdint>
#include <string>

#include "tests/generated/words.hpp"

namespace vgsim::generated {

/// The scenario of that number: the first of its drafts that is valid and that vSphere powers on.
/// One number in eight, and one whose first drafts are all refused, has its first draft as it is,
/// so that what must be refused is seen as well. `path`: see examine().
[[nodiscard]] Json generate_valid(const Words& words, const scenario::Library& library,
                                  const std::string& path, std::uint64_t seed,
                                  std::uint64_t number);

}  // namespace vgsim::generated
