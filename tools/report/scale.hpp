#pragma once

#include <string>
#include <vector>

namespace vgsim::report {

/// Maps values to positions on an axis, from `low` at `begin` to `high` at `end`; `logarithmic`
/// requires both above 0.
struct Scale {
  double low = 0;
  double high = 1;
  double begin = 0;
  double end = 1;
  bool logarithmic = false;

  [[nodiscard]] double operator()(double value) const;
};

/// Round numbers (1, 2 or 5 times a power of ten) from at most `low` to at least `high`: about
/// `count`. Both are finite.
[[nodiscard]] std::vector<double> nice_ticks(double low, double high, std::size_t count);

/// Powers of ten from the one at or below `low` to the one at or above `high`; both are finite
/// and above 0.
[[nodiscard]] std::vector<double> decade_ticks(double low, double high);

/// A suitable unit for quantities up to `most`, in base units.
struct AxisUnit {
  std::string name;
  double size = 1;
};

[[nodiscard]] AxisUnit time_unit(double most_seconds);  ///< "ms"
[[nodiscard]] AxisUnit bytes_unit(double most_bytes);   ///< "GiB"
[[nodiscard]] AxisUnit flops_unit(double most_per_s);   ///< "TFLOP/s"

/// A number at a tick: "0.25", "60,000".
[[nodiscard]] std::string tick_label(double value);

/// "8 B", "64 KiB", "1 GiB": sizes of messages, which are powers of two.
[[nodiscard]] std::string size_label(double bytes);

}  // namespace vgsim::report
