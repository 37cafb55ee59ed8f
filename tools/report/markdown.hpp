#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The same facts in GitHub's Markdown; charts stand as tables of what they show.
[[nodiscard]] std::string to_markdown(const Page& page);

}  // namespace vgsim::report
