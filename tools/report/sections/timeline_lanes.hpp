#pragma once

#include "models/scenario/run/result.hpp"
#include "tools/report/charts/timeline.hpp"

namespace vgsim::report {

/// In addition to the critical path.
inline constexpr std::size_t kMostTimelineLanes = 12;

/// The steady iteration of a layout with a record: its critical path, then its ranks, equal
/// ones in one lane, then the network. The size of the drawing is bounded for any number of
/// spans.
[[nodiscard]] Timeline timeline_of(const scenario::LayoutResult& layout);

}  // namespace vgsim::report
