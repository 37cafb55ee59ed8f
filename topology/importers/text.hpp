#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Words and numbers as untrusted files write them. Nothing here throws or depends on a locale.
namespace vgsim::topology {

/// A piece of a text and the byte at which it begins there.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;
};

/// Without blanks and line ends around it.
[[nodiscard]] Piece trimmed(Piece piece);
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Fit for results and messages: without blanks around it, bytes that are not printable ASCII as
/// '?', at most 255 bytes.
[[nodiscard]] std::string printable(std::string_view text);

[[nodiscard]] std::string lower_case(std::string_view text);

/// Whether the text holds the words, in any case of letters. `words` is in lower case.
[[nodiscard]] bool mentions(std::string_view text, std::string_view words);

/// A decimal number that is all of the text and lies within the limits.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                                       std::int64_t max);

/// Whether a text is numbers and ranges up to 1048575: "0-23,48-71".
[[nodiscard]] bool is_number_list(std::string_view text);

/// Names one after the other, at most so many: "a, b", "a, b, c, d, e and 12 more".
[[nodiscard]] std::string few_of(const std::vector<std::string>& names, std::size_t most = 5);

}  // namespace vgsim::topology
