#pragma once

#include <cstddef>
#include <vector>

namespace vgsim::calibration {

/// The median; of an even number of values the mean of the two middle ones. Throws std::logic_error
/// without values.
[[nodiscard]] double median(std::vector<double> values);

/// The percentile by nearest rank: the smallest value that is not below `percent` percent of the
/// values. Throws std::logic_error without values.
[[nodiscard]] double percentile(std::vector<double> values, std::size_t percent);

/// The 95th percentile of Student's t distribution.
[[nodiscard]] double student_95(double freedom);

/// Standard deviation of normal noise divided by its median absolute deviation.
inline constexpr double kNormalMad = 1.4826;

}  // namespace vgsim::calibration
