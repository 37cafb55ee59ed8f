#pragma once

#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The page as one self-contained HTML file: no external fonts or images, and no
/// scripts but that of a simulator.
[[nodiscard]] std::string to_html(const Page& page);

/// One figure with its keys and its table.
[[nodiscard]] std::string figure_html(const Figure& figure);

/// One section of it.
[[nodiscard]] std::string section_html(const Section& section);

}  // namespace vgsim::report
