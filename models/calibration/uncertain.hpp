#pragma once

namespace vgsim::calibration {

/// A quantity with its 90 % interval. Times in picoseconds, rates in bytes/s, numbers without unit.
struct Uncertain {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Standard deviations of the normal distribution to either end of that interval.
inline constexpr double kQuantile95 = 1.6448536269514722;

/// The value `z` standard deviations from the middle: by ratios, with separate sides; by
/// differences if an end is 0. Rounded to four digits, so that rates remain short fractions.
[[nodiscard]] double at_deviation(const Uncertain& quantity, double z);

}  // namespace vgsim::calibration
