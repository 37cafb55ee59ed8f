#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

/// How well a figure is known: half of the interval that holds nine in ten, as a share of it.
/// Nothing where no interval was found.
using Known = std::optional<double>;

[[nodiscard]] Known known_of(const std::optional<scenario::Interval>& interval, double value);

/// The same of what was simulated: a training and its iteration, a message of a collective.
[[nodiscard]] Known training_known(const scenario::TrainingResult& training);
[[nodiscard]] Known iteration_known(const scenario::TrainingResult& training);
[[nodiscard]] Known point_known(const scenario::CollectivePoint& point);

/// Of a figure among all of its layout: what is known of the iteration is known of all times and
/// rates that follow from it, what is known of the training of all that it takes.
[[nodiscard]] Known known_of(const scenario::Metric& metric,
                             const std::vector<scenario::Metric>& all);

/// The interval of a time: its own, or that of the iteration that it is so many times as long as.
[[nodiscard]] std::optional<scenario::Interval> interval_of(
    const scenario::Metric& metric, const std::vector<scenario::Metric>& all);

/// How many digits are worth showing: as many as make one unit of the last not smaller than a tenth
/// of the half interval, at least two and at most four; three where there is no interval.
[[nodiscard]] int supported_digits(double value, Known known);

/// The number rounded to so many digits, written without an exponent: 1909.2 to two is "1900".
[[nodiscard]] std::string rounded(double value, int digits);

/// "4.4 h", "270 ms".
[[nodiscard]] std::string time_figure(double seconds, Known known);

/// An interval around a time, in its unit and to its last digit: "3.8 to 7.8 h".
[[nodiscard]] std::string time_range(const scenario::Interval& interval, double seconds);

/// The interval of a figure that has one, likewise.
[[nodiscard]] std::string range_figure(const scenario::Metric& metric);

/// Any figure of a result, as far as it is known; a rate without the "/s" of its label.
[[nodiscard]] std::string figure(double value, scenario::MetricUnit unit, Known known);

/// The same with how well it is known.
[[nodiscard]] std::string figure(const scenario::Metric& metric,
                                 const std::vector<scenario::Metric>& all);

/// Memory of GPUs: "11.3 GiB".
[[nodiscard]] std::string memory_figure(double bytes);

/// "14.2 EUR".
[[nodiscard]] std::string money_figure(double amount, const std::string& currency, Known known);

/// Samples, tokens, operations a second, without a unit: "1900".
[[nodiscard]] std::string rate_figure(double rate, Known known);

/// A part of an iteration: "870 ms (92 %)".
[[nodiscard]] std::string part_figure(SimTime part, const scenario::TrainingResult& training);

/// A share without digits that nobody knows: "78 %", "<1 %", "0 %".
[[nodiscard]] std::string whole_percent(double share);

/// A number of things, each of them where so many can be told apart: "40037".
[[nodiscard]] std::string count_figure(double count);

/// What is trained: "3 epochs", "15 T tokens".
[[nodiscard]] std::string length_words(const scenario::TrainingResult& training);
[[nodiscard]] std::string length_words(std::int64_t epochs, std::optional<std::int64_t> all_tokens);

/// "same", "+12 %", "2.5 x".
[[nodiscard]] std::string gap_figure(const scenario::Gap& gap);

/// How sure a difference is: "in all 20 draws".
[[nodiscard]] std::string certainty_words(const scenario::Gap& gap);

}  // namespace vgsim::text
