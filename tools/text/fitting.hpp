#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::text {

/// The text as it may be printed, in so many columns at most; what is cut off ends in an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// Names in so many columns each that can still be told apart: cut at the end where that does, else
/// in the middle, else numbered.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t columns);

/// "a", "a and b", "a, b and c"; of more than `most` "a, b and 3 more".
[[nodiscard]] std::string names_listed(const std::vector<std::string>& names, std::size_t most = 3);

/// Text behind a label, broken at blanks, in so many lines at most: the last ends in an ellipsis
/// where there is more. Later lines begin under the text.
[[nodiscard]] std::vector<std::string> paragraph(const std::string& label, const std::string& text,
                                                 std::size_t columns, std::size_t most_lines);

}  // namespace vgsim::text
