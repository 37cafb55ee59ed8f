#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Smaller differences count as equal: inputs of a prediction are not known to half a percent.
inline constexpr double kLeastDifference = 0.005;
/// Share of the draws that must agree before one layout counts as slower than another.
inline constexpr double kCertain = 0.95;

/// Difference in time between two layouts.
struct Gap {
  double more = 0.0;      ///< 0.12: 12 % longer, without draws
  std::size_t draws = 0;  ///< in which both ran
  std::size_t agree = 0;  ///< of these, in which it takes longer as well
  /// The difference is below kLeastDifference, or fewer than kCertain of the draws agree.
  bool same = false;
};

/// Compares draw by draw, so effects on both layouts cancel.
[[nodiscard]] Gap gap_between(double faster_s, const std::vector<std::optional<double>>& faster,
                              double slower_s, const std::vector<std::optional<double>>& slower);

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
  /// Number of layouts without a significant difference to the fastest, including it.
  [[nodiscard]] std::size_t shared() const;
};

/// The simulated layouts, in groups in file order.
[[nodiscard]] std::vector<RankedGroup> ranked_groups(const ScenarioResult& result);

}  // namespace vgsim::scenario
