#pragma once

namespace vgsim {

// Replacements for standard functions whose last digits differ between C libraries, made of
// IEEE 754 additions, multiplications, divisions and square roots only. These are rounded
// correctly, so results have the same bits with every compiler and library, provided that nothing
// is contracted into fused multiply-adds (-ffp-contract=off) or reordered (no -ffast-math).

/// e^x, within 4e-16 relative if the result is a normal number; 0 and infinity outside the range.
[[nodiscard]] double portable_exp(double x);

/// Natural logarithm, within 4e-16 relative; -infinity at 0, NaN below.
[[nodiscard]] double portable_log(double x);

/// Quantile of the standard normal distribution at p; +-infinity at 0 and 1, NaN
/// outside. Algorithm AS 241 (PPND16) of M. J. Wichura, The percentage points of the normal
/// distribution, Applied Statistics 37 (1988) 477-484, for normal p; within 1e-15 relative.
[[nodiscard]] double normal_quantile(double p);

}  // namespace vgsim
