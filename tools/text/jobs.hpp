#pragma once

#include <cstddef>
#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::text {

/// The loss of one of several jobs, such as "+14 %: cpu 12 % (esx01/cores), train-b 14 %"; "as
/// alone".
[[nodiscard]] std::string loss_words(const scenario::JobResult& job);

/// Adds the jobs of a layout with several, those that lose most first, in at most `most_lines`
/// lines.
void add_jobs(const scenario::LayoutResult& layout, std::size_t most_lines, ScreenLines& lines);

}  // namespace vgsim::text
