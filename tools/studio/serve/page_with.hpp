#pragma once

#include <string>

#include "tools/report/page.hpp"
#include "tools/studio/sources.hpp"

namespace vgsim::studio {

/// The page of tools/html with a scenario and the files that it names, which it opens first.
/// Throws std::invalid_argument if the text is not that page.
[[nodiscard]] std::string page_with(std::string page, const Opening& opening);

/// The same for a report, with what the report needs to open it.
[[nodiscard]] report::Simulator simulator_with(const std::string& page, const Opening& opening);

}  // namespace vgsim::studio
