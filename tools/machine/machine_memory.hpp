#pragma once

#include <cstdint>

namespace vgsim::machine {

/// Bytes of memory of the machine; the largest number if unknown.
[[nodiscard]] std::uint64_t machine_memory();

}  // namespace vgsim::machine
