#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The same content in GitHub's Markdown; charts become tables.
[[nodiscard]] std::string to_markdown(const Page& page);

}  // namespace vgsim::report
