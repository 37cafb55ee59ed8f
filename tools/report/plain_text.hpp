#pragma once

#include <cstddef>
#include <string>

#include "tools/report/page.hpp"

namespace vgsim::report {

/// The page as plain text, in so many columns where its words allow it. Charts stand as tables of
/// what they show.
[[nodiscard]] std::string to_text(const Page& page, std::size_t columns);

/// The same below its verdict: for who has that already.
[[nodiscard]] std::string details_text(const Page& page, std::size_t columns);

}  // namespace vgsim::report
