#pragma once

#include "models/scenario/run/result.hpp"
#include "tools/report/charts/timeline.hpp"

namespace vgsim::report {

/// Beside that of the critical path.
inline constexpr std::size_t kMostTimelineLanes = 12;

/// The steady iteration of a layout, which has a record: its critical path, then its ranks, those
/// that do the same in one lane, then what happens in the network. However many spans it has, the
/// drawing is of moderate size.
[[nodiscard]] Timeline timeline_of(const scenario::LayoutResult& layout);

}  // namespace vgsim::report
