#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace vgsim::input {

/// Whole numbers first..last, written with at least `width` digits.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::size_t width = 1;  ///< More than 1 if the numbers are padded with zeros.
};

/// Parses the content of the brackets of a name range: "01-04", "1,3,5-7". Numbers have at most
/// nine digits. The error is one sentence.
[[nodiscard]] tl::expected<std::vector<NumberRange>, std::string> parse_number_list(
    std::string_view text);

/// Offset of the "]" of a bracket group that opens at `open` and contains only digits, "-" and ",";
/// npos for other groups. `open` must be inside the text.
[[nodiscard]] std::size_t range_group_end(std::string_view text, std::size_t open);

}  // namespace vgsim::input
