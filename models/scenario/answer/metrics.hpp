#pragma once

#include <optional>
#include <string>

namespace vgsim::scenario {

/// What a figure of a result is measured in.
enum class MetricUnit {
  kSeconds,
  kPerSecond,
  kShare,
  kBytes,
  kGBps,
  kFlops,  ///< operations/s
  kCount,
  kHours,
  kKwh,
  kMoney
};

/// Which way a figure is better.
enum class Better { kLower, kHigher, kNeither };

struct Figure;

/// The value of a figure (figures.hpp) in a layout's result: it can be compared, expected, swept.
struct Metric {
  std::string name;   ///< "iteration_time_s"; of a member of a figure "busbw_GBps@1 GiB"
  std::string label;  ///< in tables: "iteration", "busbw of 1 GiB"
  MetricUnit unit = MetricUnit::kSeconds;
  Better better = Better::kLower;
  double value = 0.0;
  std::optional<double> low;  ///< nine in ten lie between these
  std::optional<double> high;
  const Figure* figure = nullptr;  ///< its row
  std::string member = {};         ///< of a figure with members: "1 GiB"
};

/// "268.2 ms", "1909.2 /s", "36.8 %", "492 GB/s": a figure in words.
[[nodiscard]] std::string in_words(double value, MetricUnit unit);

/// Reads such a figure: a number in the unit of the metric's name, or with a unit of its own
/// ("268 ms", "2 %", "10 GB/s", "3.5 h"). Nothing if it is not one.
[[nodiscard]] std::optional<double> read_figure(const std::string& text, MetricUnit unit);

}  // namespace vgsim::scenario
