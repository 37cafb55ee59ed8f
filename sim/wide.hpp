#pragma once

#include <cstdint>
#include <numeric>
#include <utility>

namespace vgsim {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// Greatest common divisor; a >= 0, b > 0. One long division usually reduces the operands to
/// machine words.
[[nodiscard]] inline UnsignedWide greatest_common_divisor(UnsignedWide a, UnsignedWide b) {
  while (b >> 64 != 0) a = std::exchange(b, a % b);
  if (b == 0) return a;
  const auto small = static_cast<std::uint64_t>(b);
  return std::gcd(static_cast<std::uint64_t>(a % small), small);
}

}  // namespace vgsim
