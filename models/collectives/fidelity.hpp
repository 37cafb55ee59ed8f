#pragma once

#include <cstdint>

namespace vgsim::collectives {

/// How closely a collective is followed.
enum class Fidelity : std::uint8_t {
  kFluid,  ///< one fluid activity per channel
  kChunk,  ///< every step of a ring on every edge of it
};

}  // namespace vgsim::collectives
