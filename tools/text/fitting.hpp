#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::text {

/// The printable text in at most that many columns; a cut text ends in an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// Names in at most that many columns that remain distinct: cut at the end if that suffices,
/// else in the middle, else numbered.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t columns);

/// "a", "a and b", "a, b and c"; of more than `most` "a, b and 3 more". `last` joins the last one.
[[nodiscard]] std::string names_listed(const std::vector<std::string>& names, std::size_t most = 3,
                                       const char* last = "and");

/// Text behind a label, broken at blanks, in at most that many lines; an ellipsis ends a cut
/// text. Later lines are aligned with the text.
[[nodiscard]] std::vector<std::string> paragraph(const std::string& label, const std::string& text,
                                                 std::size_t columns, std::size_t most_lines);

}  // namespace vgsim::text
