#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The page as one HTML file that needs nothing else: no script, no font, no picture from anywhere.
[[nodiscard]] std::string to_html(const Page& page);

/// One figure of it, with its keys and its numbers.
[[nodiscard]] std::string figure_html(const Figure& figure);

/// One section of it.
[[nodiscard]] std::string section_html(const Section& section);

}  // namespace vgsim::report
