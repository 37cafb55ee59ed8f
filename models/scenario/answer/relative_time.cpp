#include "models/scenario/answer/relative_time.hpp"

#include "models/scenario/answer/ranked_layouts.hpp"

namespace vgsim::scenario {

/// The gap between the two is that of the faster one to the slower one; turned around, its ends
/// change places.
std::optional<RelativeTime> relative_time(const DrawnTime& reference, const DrawnTime& other) {
  if (!reference.seconds || !other.seconds) return std::nullopt;
  const bool is_longer = *other.seconds >= *reference.seconds;
  const DrawnTime& faster = is_longer ? reference : other;
  const DrawnTime& slower = is_longer ? other : reference;
  const Gap gap = gap_between(*faster.seconds, faster.drawn_s, *slower.seconds, slower.drawn_s);
  if (gap.draws == 0) return std::nullopt;
  if (is_longer) return RelativeTime{gap.more, gap.low, gap.high, to_string(gap.statement)};
  const auto turned = [](double more) { return 1.0 / (1.0 + more) - 1.0; };
  return RelativeTime{turned(gap.more), turned(gap.high), turned(gap.low),
                      gap.is_slower() ? "faster" : to_string(gap.statement)};
}

}  // namespace vgsim::scenario
