#pragma once

#include <optional>
#include <string>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// How well a figure is known: half of the interval that holds nine in ten, as a share of it.
/// Nothing where no interval was found.
using Known = std::optional<double>;

[[nodiscard]] Known known_of(const std::optional<scenario::Interval>& interval, double value);

/// How many digits are worth showing: as many as make one unit of the last not smaller than a tenth
/// of the half interval, at least two and at most four; three where there is no interval.
[[nodiscard]] int supported_digits(double value, Known known);

/// The number rounded to so many digits, written without an exponent: 1909.2 to two is "1900".
[[nodiscard]] std::string rounded(double value, int digits);

/// "4.4 h", "270 ms".
[[nodiscard]] std::string time_figure(double seconds, Known known);

/// An interval around a time, in its unit and to its last digit: "3.8 to 7.8 h".
[[nodiscard]] std::string time_range(const scenario::Interval& interval, double seconds);

/// Any figure of a result, as far as it is known.
[[nodiscard]] std::string figure(double value, scenario::MetricUnit unit, Known known);

/// A share without digits that nobody knows: "78 %", "<1 %", "0 %".
[[nodiscard]] std::string whole_percent(double share);

/// A number of things, each of them where so many can be told apart: "40037".
[[nodiscard]] std::string count_figure(double count);

/// What is trained: "3 epochs", "15 T tokens".
[[nodiscard]] std::string length_words(const scenario::TrainingResult& training);

/// "same", "+12 %", "2.5 x".
[[nodiscard]] std::string gap_figure(const scenario::Gap& gap);

}  // namespace vgsim::cli
