#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vgsim::topology {

/// Text of a dump as it may go into results and messages: without blanks around it, bytes that are
/// not printable ASCII as '?', at most 255 bytes.
[[nodiscard]] std::string printable_words(std::string_view text);

/// Names one after the other, at most five: "a, b", "a, b, c, d, e and 12 more".
[[nodiscard]] std::string few_of(const std::vector<std::string>& names);

/// The text without spaces and tabs, and without the carriage return of a DOS line, around it.
[[nodiscard]] std::string_view without_blanks(std::string_view text);

/// Whether the text holds the words, in any case of letters. `words` is in lower case.
[[nodiscard]] bool mentions(std::string_view text, std::string_view words);

}  // namespace vgsim::topology
