#pragma once

#include <optional>
#include <string>

namespace vgsim::scenario {

/// Unit of a figure.
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

/// Direction in which a figure improves.
enum class Better { kLower, kHigher, kNeither };

struct Figure;

/// The value of a figure (figures.hpp) in a layout's result, for comparisons, expectations and
/// sweeps.
struct Metric {
  std::string name;   ///< "iteration_time_s"; for a member of a figure "busbw_GBps@1 GiB"
  std::string label;  ///< in tables: "iteration", "busbw of 1 GiB"
  MetricUnit unit = MetricUnit::kSeconds;
  Better better = Better::kLower;
  double value = 0.0;
  std::optional<double> low;  ///< 90 % interval
  std::optional<double> high;
  const Figure* figure = nullptr;  ///< its row
  std::string member = {};         ///< for a figure with members: "1 GiB"
};

/// "268.2 ms", "1909.2 /s", "36.8 %", "492 GB/s": a figure as text.
[[nodiscard]] std::string in_words(double value, MetricUnit unit);

/// Reads such a figure: a number in the unit of the metric's name, or with a unit ("268 ms", "2 %",
/// "10 GB/s", "3.5 h"). Nothing for other texts.
[[nodiscard]] std::optional<double> read_figure(const std::string& text, MetricUnit unit);

}  // namespace vgsim::scenario
