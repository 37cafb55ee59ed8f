#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The page as one HTML file that needs nothing else: no script, no font, no picture from anywhere.
[[nodiscard]] std::string to_html(const Page& page);

}  // namespace vgsim::report
