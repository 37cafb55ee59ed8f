#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Words and numbers of untrusted files. Functions do not throw or depend on a locale.
namespace vgsim::topology {

/// A part of a text with its byte offset there.
struct TextSpan {
  std::string_view text;
  std::size_t offset = 0;
};

/// The span without surrounding blanks and line ends.
[[nodiscard]] TextSpan trimmed(TextSpan span);
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The text for results and messages: trimmed, bytes other than printable ASCII as '?', at most 255
/// bytes.
[[nodiscard]] std::string printable(std::string_view text);

[[nodiscard]] std::string lower_case(std::string_view text);

/// Whether the text contains the words, ignoring case. `words` is in lower case.
[[nodiscard]] bool mentions(std::string_view text, std::string_view words);

/// A decimal number within the limits that is the whole text.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                                       std::int64_t max);

/// Whether a text consists of numbers and ranges up to 1048575: "0-23,48-71".
[[nodiscard]] bool is_number_list(std::string_view text);

/// Whether two words are equal, ignoring the case of ASCII letters.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
/// Normal form of a heading whose spelling differs by version: "Vendor ID" and "VendorID" are
/// "vendorid", "# CPU" is "numcpu".
[[nodiscard]] std::string bare_key(std::string_view heading);

/// A whole decimal number, with a sign or without; nothing if anything else is there.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);
/// Whether the text begins with "0x" or "0X".
[[nodiscard]] bool has_hex_prefix(std::string_view text);
/// Hex digits, with "0x" or without.
[[nodiscard]] std::optional<std::int64_t> hex_number(std::string_view text);
/// Hex with "0x", decimal without.
[[nodiscard]] std::optional<std::int64_t> any_number(std::string_view text);

/// "TRUE", "yes", "on", "1" and their opposites, in any case.
[[nodiscard]] std::optional<bool> truth(std::string_view text);

/// CPUs as a sorted list of ranges without duplicates: "0-23,48-71".
[[nodiscard]] std::string cpu_ranges(std::vector<std::int64_t> cpus);

/// Iterates over the lines of a text; \n, \r\n and \r end lines, and are omitted.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] std::optional<TextSpan> next();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
};

/// At most `most` names and the number of others: "a, b", "a, b, c, d, e and 12 more".
[[nodiscard]] std::string few_of(const std::vector<std::string>& names, std::size_t most = 5);

}  // namespace vgsim::topology
