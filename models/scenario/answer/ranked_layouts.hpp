#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Smaller differences count as equal: inputs of a prediction are not known to half a percent.
inline constexpr double kLeastDifference = 0.005;
/// A difference whose interval stays below this is none that matters.
inline constexpr double kSmallDifference = 0.05;

/// What can be said of a difference.
enum class Statement : std::uint8_t {
  kSlower,        ///< the whole interval is above -kLeastDifference
  kNoDifference,  ///< no significant one: the interval is within kSmallDifference
  kUndecided,     ///< either may be faster, by more than that
};

[[nodiscard]] const char* to_string(Statement statement);  ///< "no significant difference"

/// Difference in time between two layouts.
struct Gap {
  double more = 0.0;  ///< 0.12: 12 % longer, without draws
  double low = 0.0;   ///< the 90 % interval of `more`, extended to contain it; equal without draws
  double high = 0.0;
  std::size_t draws = 0;  ///< in which both ran
  std::size_t agree = 0;  ///< of these, in which it takes longer as well
  Statement statement = Statement::kNoDifference;

  [[nodiscard]] bool is_slower() const { return statement == Statement::kSlower; }
};

/// Compares draw by draw, so effects on both layouts cancel.
[[nodiscard]] Gap gap_between(double faster_s, const std::vector<std::optional<double>>& faster,
                              double slower_s, const std::vector<std::optional<double>>& slower);

/// The same of two simulated layouts. On a path that contains that of the faster one, the slower
/// one is not faster in any draw.
[[nodiscard]] Gap gap_between(const LayoutResult& faster, const LayoutResult& slower);

/// A layout in the ranking of layouts with the same work.
struct RankedLayout {
  std::size_t layout = 0;  ///< index into ScenarioResult::layouts
  Gap gap;                 ///< to the fastest
};

/// Layouts that train the same network, or run the same collective, fastest first. Others are not
/// compared.
struct RankedGroup {
  std::string work;  ///< "bert-large"
  std::vector<RankedLayout> layouts;

  [[nodiscard]] std::size_t fastest() const { return layouts.front().layout; }
  /// Whether none of them is slower than the fastest for sure.
  [[nodiscard]] bool is_open() const;
};

/// The simulated layouts, in groups in file order.
[[nodiscard]] std::vector<RankedGroup> ranked_groups(const ScenarioResult& result);

}  // namespace vgsim::scenario
