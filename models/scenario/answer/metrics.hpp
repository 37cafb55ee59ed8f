#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

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
struct LayoutResult;

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
  std::string member;              ///< of a figure with members: "1 GiB"
};

/// All figures of a layout, most important first; none of a layout that was refused. A value that
/// is not finite is left out.
[[nodiscard]] std::vector<Metric> metrics_of(const LayoutResult& layout);

/// The same of a layout in a file (an object of "layouts" in vgsim.result/1).
[[nodiscard]] std::vector<Metric> metrics_of(const nlohmann::ordered_json& layout);

/// What a figure of that name is, with value 0; nothing if no result has one. Sizes of collectives
/// are written as results have them: "time_s@64 KiB".
[[nodiscard]] std::optional<Metric> metric_named(const std::string& name);

/// All names, of figures with members that of one member.
[[nodiscard]] std::vector<std::string> metric_names();

/// "268.2 ms", "1909.2 /s", "36.8 %", "492 GB/s": a figure in words.
[[nodiscard]] std::string in_words(double value, MetricUnit unit);

/// Reads such a figure: a number in the unit of the metric's name, or with a unit of its own
/// ("268 ms", "2 %", "10 GB/s", "3.5 h"). Nothing if it is not one.
[[nodiscard]] std::optional<double> read_figure(const std::string& text, MetricUnit unit);

}  // namespace vgsim::scenario
