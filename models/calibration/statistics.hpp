#pragma once

#include <cstddef>
#include <vector>

namespace vgsim::calibration {

/// The middle value; of an even number of values the mean of the two in the middle. Throws
/// std::logic_error without values.
[[nodiscard]] double median(std::vector<double> values);

/// The smallest value that at least this share of the values, in percent, does not exceed (nearest
/// rank). Throws std::logic_error without values.
[[nodiscard]] double percentile(std::vector<double> values, std::size_t percent);

/// Of normal noise: its standard deviation over its median absolute deviation.
inline constexpr double kNormalMad = 1.4826;

}  // namespace vgsim::calibration
