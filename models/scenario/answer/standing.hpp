#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Less of a difference is none: what goes into a prediction is not known to half a percent.
inline constexpr double kLeastDifference = 0.005;
/// Of the draws, those that have to agree before one layout counts as slower than another.
inline constexpr double kCertain = 0.95;

/// How much longer a layout takes than another one.
struct Gap {
  double more = 0.0;      ///< 0.12: 12 % longer, with the parameters as they are
  std::size_t draws = 0;  ///< that both could run
  std::size_t agree = 0;  ///< of them, those in which it takes longer, too
  /// Less than kLeastDifference, or not longer in kCertain of the draws.
  bool same = false;
};

/// The draws of both are compared one by one: what slows both down alike makes no difference.
[[nodiscard]] Gap gap_between(double faster_s, const std::vector<std::optional<double>>& faster,
                              double slower_s, const std::vector<std::optional<double>>& slower);

/// Where a layout stands among those that do the same work.
struct Standing {
  std::size_t layout = 0;  ///< index into ScenarioResult::layouts
  Gap gap;                 ///< to the fastest
};

/// Layouts that train the same network, or run the same collective, fastest first. Between
/// different ones there is nothing to compare.
struct StandingGroup {
  std::string work;  ///< "bert-large"
  std::vector<Standing> standings;

  [[nodiscard]] std::size_t fastest() const { return standings.front().layout; }
  /// How many are the same as the fastest, with it.
  [[nodiscard]] std::size_t shared() const;
};

/// Those that were simulated, in groups in the order of the file.
[[nodiscard]] std::vector<StandingGroup> standings_of(const ScenarioResult& result);

}  // namespace vgsim::scenario
