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

/// Whether two words are the same but for the case of ASCII letters.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
/// What is left of a heading that versions and formatters spell differently: "Vendor ID" and
/// "VendorID" are "vendorid", "# CPU" is "numcpu".
[[nodiscard]] std::string bare_key(std::string_view heading);

/// A whole decimal number, with a sign or without; nothing if anything else is there.
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);
/// "0x" or "0X" stands before the digits.
[[nodiscard]] bool has_hex_prefix(std::string_view text);
/// Hex digits, with "0x" or without.
[[nodiscard]] std::optional<std::int64_t> hex_number(std::string_view text);
/// Hex with "0x", decimal without.
[[nodiscard]] std::optional<std::int64_t> any_number(std::string_view text);

/// "TRUE", "yes", "on", "1" and their opposites, in any case.
[[nodiscard]] std::optional<bool> truth(std::string_view text);

/// CPUs as a list of ranges: "0-23,48-71". Sorts them and drops repetitions.
[[nodiscard]] std::string cpu_ranges(std::vector<std::int64_t> cpus);

/// Goes through a text line by line; \n, \r\n and \r end lines, and are left out.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] std::optional<Piece> next();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
};

/// Names one after the other, at most so many: "a, b", "a, b, c, d, e and 12 more".
[[nodiscard]] std::string few_of(const std::vector<std::string>& names, std::size_t most = 5);

}  // namespace vgsim::topology
