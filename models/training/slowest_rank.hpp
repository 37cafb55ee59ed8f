#pragma once

#include <cstddef>

namespace vgsim::training {

/// By how many standard deviations the largest of so many independent normal values is expected to
/// lie above their mean; 0 for one. Source: G. Blom, Statistical Estimates and Transformed
/// Beta-Variables, 1958: the quantile of (n - 0.375) / (n + 0.25); within 0.02 of the exact values.
[[nodiscard]] double expected_largest_deviation(std::size_t values);

}  // namespace vgsim::training
