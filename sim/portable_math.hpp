#pragma once

namespace vgsim {

// Functions of the standard library whose last digits differ between C libraries, here made of
// IEEE 754 additions, multiplications, divisions and square roots only. These are exactly rounded,
// so results have the same bits under every compiler and library as long as nothing is contracted
// into fused multiply-adds (-ffp-contract=off) or reordered (no -ffast-math).

/// e^x, within 4e-16 relative where the result is a normal number. 0 and infinity beyond the range.
[[nodiscard]] double portable_exp(double x);

/// Natural logarithm, within 4e-16 relative; -infinity at 0, NaN below.
[[nodiscard]] double portable_log(double x);

/// The z that a standard normal variable stays below with probability p; +-infinity at 0 and 1, NaN
/// outside. Algorithm AS 241 (PPND16) of M. J. Wichura, The percentage points of the normal
/// distribution, Applied Statistics 37 (1988) 477-484, for normal p; within 1e-15 relative.
[[nodiscard]] double normal_quantile(double p);

}  // namespace vgsim
