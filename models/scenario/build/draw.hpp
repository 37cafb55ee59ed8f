#pragma once

#include <cstdint>

namespace vgsim::scenario {

/// One of several draws of all uncertain parameters.
struct ParameterDraw {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
};

}  // namespace vgsim::scenario
