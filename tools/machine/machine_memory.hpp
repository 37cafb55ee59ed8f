#pragma once

#include <cstdint>

namespace vgsim::machine {

/// Bytes of memory that the machine has; the largest number where it does not tell.
[[nodiscard]] std::uint64_t machine_memory();

}  // namespace vgsim::machine
