#pragma once

#include <cstdint>

namespace vgsim::collectives {

/// The level of detail of a simulated collective.
enum class Fidelity : std::uint8_t {
  kFluid,  ///< one fluid activity per channel
  kChunk,  ///< every step of a ring on each of its edges
};

}  // namespace vgsim::collectives
