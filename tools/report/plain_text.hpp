#pragma once

#include <cstddef>
#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The page as plain text, in that many columns if its words allow it. Charts become tables.
[[nodiscard]] std::string to_text(const Page& page, std::size_t columns);

/// The same without the verdict.
[[nodiscard]] std::string details_text(const Page& page, std::size_t columns);

}  // namespace vgsim::report
