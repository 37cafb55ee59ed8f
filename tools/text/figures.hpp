#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/answer/relative_time.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

/// Half of the 90 % interval of a figure, as a share of the figure. Nothing if there is no
/// interval.
using Known = std::optional<double>;

[[nodiscard]] Known known_of(const std::optional<scenario::Interval>& interval, double value);

/// Of a simulated training, of its iteration, and of one message size of a collective.
[[nodiscard]] Known training_known(const scenario::TrainingResult& training);
[[nodiscard]] Known iteration_known(const scenario::TrainingResult& training);
[[nodiscard]] Known point_known(const scenario::CollectivePoint& point);

/// Of one of the metrics of a layout. Times and rates derived from the iteration have its
/// relative uncertainty; those of the whole training have that of the training.
[[nodiscard]] Known known_of(const scenario::Metric& metric,
                             const std::vector<scenario::Metric>& all);

/// The interval of a time: its own, or that of the iteration in proportion.
[[nodiscard]] std::optional<scenario::Interval> interval_of(
    const scenario::Metric& metric, const std::vector<scenario::Metric>& all);

/// Number of significant digits: one unit of the last is at least a tenth of the half interval;
/// 2 to 4 digits, 3 without an interval.
[[nodiscard]] int supported_digits(double value, Known known);

/// The number rounded to that many digits, without an exponent: 1909.2 to two is "1900".
[[nodiscard]] std::string rounded(double value, int digits);

/// "4.4 h", "270 ms".
[[nodiscard]] std::string time_figure(double seconds, Known known);

/// An interval in the unit and to the last digit of its time: "3.8 to 7.8 h".
[[nodiscard]] std::string time_range(const scenario::Interval& interval, double seconds);

/// The interval of a metric that has one.
[[nodiscard]] std::string range_figure(const scenario::Metric& metric);

/// Any figure of a result, rounded by its uncertainty; a rate without the "/s" of its label.
[[nodiscard]] std::string figure(double value, scenario::MetricUnit unit, Known known);

/// The same for one of the metrics of a layout.
[[nodiscard]] std::string figure(const scenario::Metric& metric,
                                 const std::vector<scenario::Metric>& all);

/// Memory of GPUs: "11.3 GiB".
[[nodiscard]] std::string memory_figure(double bytes);

/// "14.2 EUR".
[[nodiscard]] std::string money_figure(double amount, const std::string& currency, Known known);

/// Samples, tokens or operations per second, without a unit: "1900".
[[nodiscard]] std::string rate_figure(double rate, Known known);

/// A part of an iteration: "870 ms (92 %)".
[[nodiscard]] std::string part_figure(SimTime part, const scenario::TrainingResult& training);

/// A share in whole percents: "78 %", "<1 %", "0 %".
[[nodiscard]] std::string whole_percent(double share);

/// A count, exact below 10^15: "40037".
[[nodiscard]] std::string count_figure(double count);

/// Length of a training: "3 epochs", "15 T tokens".
[[nodiscard]] std::string length_words(const scenario::TrainingResult& training);
[[nodiscard]] std::string length_words(std::int64_t epochs, std::optional<std::int64_t> all_tokens);

/// "same", "+12 %", "2.5 x".
[[nodiscard]] std::string gap_figure(const scenario::Gap& gap);

/// The 90 % interval of a difference: "41 to 73 %", "-6 to +18 %", "1.9 to 3.2 x"; empty without
/// draws.
[[nodiscard]] std::string gap_range(const scenario::Gap& gap);

/// Both: "+12 % (8 to 17 %)".
[[nodiscard]] std::string gap_words(const scenario::Gap& gap);

/// The 90 % interval: "-50 to -44 %".
[[nodiscard]] std::string relative_range(const scenario::RelativeTime& time);

/// "-47 % (-50 to -44 %)", "+12 % (8 to 17 %)", "+3 % (-6 to +18 %), undecided".
[[nodiscard]] std::string relative_words(const scenario::RelativeTime& time);

/// What a change saves: "1.9 %", "41 %".
[[nodiscard]] std::string saved_figure(const scenario::Gap& gap);

/// What a change saves, of the gap from the layout with it to that without: "2 to 6 %", "-2 to +9
/// %".
[[nodiscard]] std::string saved_range(const scenario::Gap& gap);

/// The same with what is not decided: "2 to 6 %", "-2 to +9 %, undecided"; empty without draws.
[[nodiscard]] std::string saved_words(const scenario::Gap& gap);

}  // namespace vgsim::text
