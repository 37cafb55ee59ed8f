#pragma once

#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::text {

/// "collectives over TCP: 12 measured machines, 5 of them with Hopper GPUs".
[[nodiscard]] std::string measured_like_words(const scenario::MeasuredLike& each);

/// Of all layouts, each once.
[[nodiscard]] std::vector<std::string> measured_like_words(const scenario::ScenarioResult& result);

/// Adds those of a layout of which no machine has its kind of GPU: its interval comes from others.
void add_unlike_measured(const scenario::LayoutResult& layout, std::size_t most_lines,
                         ScreenLines& lines);

}  // namespace vgsim::text
