#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/scenario/answer/metrics.hpp"

namespace vgsim::scenario {

/// Two different figures in words, with as many digits as it takes to tell them apart.
[[nodiscard]] std::pair<std::string, std::string> both_in_words(double first, double second,
                                                                MetricUnit unit);

/// "1.04 % slower", "2.10 x faster", "1.2 points lower", "3 % more"; empty where it was zero.
[[nodiscard]] std::string change_in_words(double before, double now, MetricUnit unit);

/// Reads "2 %" or "0.5%": 0.02, 0.005. Nothing if it is no percentage from 0 to 1000 %.
[[nodiscard]] std::optional<double> read_percentage(std::string_view text);

}  // namespace vgsim::scenario
