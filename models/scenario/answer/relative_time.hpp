#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vgsim::scenario {

/// A time in draws, by which layouts are compared.
struct DrawnTime {
  std::optional<double> seconds;                    ///< without draws; nothing if it did not run
  std::vector<std::optional<double>> drawn_s = {};  ///< by draw
};

/// How much longer a time is than a reference, over common draws.
struct RelativeTime {
  double more = 0.0;  ///< 0.12: 12 % longer; negative: shorter
  double low = 0.0;   ///< the 90 % interval
  double high = 0.0;
  std::string statement;  ///< "faster", "slower", "no significant difference", "undecided"
};

/// Nothing if one of them did not run or has no draws.
[[nodiscard]] std::optional<RelativeTime> relative_time(const DrawnTime& reference,
                                                        const DrawnTime& other);

}  // namespace vgsim::scenario
