#pragma once

namespace vgsim::calibration {

/// A quantity with the interval that holds it nine times in ten. Times in picoseconds, rates in
/// bytes per second, numbers as they are.
struct Uncertain {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// Standard deviations of the normal distribution to either end of that interval.
inline constexpr double kNineInTen = 1.6448536269514722;

/// The value that lies `z` standard deviations from the middle: by ratios, the two sides apart;
/// by differences where an end is 0. Rounded to four digits, so that rates stay short fractions.
[[nodiscard]] double at_deviation(const Uncertain& quantity, double z);

}  // namespace vgsim::calibration
