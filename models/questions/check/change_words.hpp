#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/scenario/answer/metrics.hpp"

namespace vgsim::scenario {

/// Two different figures as text, with enough digits to distinguish them.
[[nodiscard]] std::pair<std::string, std::string> both_in_words(double first, double second,
                                                                MetricUnit unit);

/// "1.04 % slower", "2.10 x faster", "1.2 points lower", "3 % more"; empty if the earlier value was
/// zero.
[[nodiscard]] std::string change_in_words(double before, double now, MetricUnit unit);

/// Reads "2 %" or "0.5%": 0.02, 0.005. Nothing for other texts or values outside 0 to 1000 %.
[[nodiscard]] std::optional<double> read_percentage(std::string_view text);

}  // namespace vgsim::scenario
