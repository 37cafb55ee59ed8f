#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "topology/input/text_cells.hpp"

/// Lines, words and numbers in the text that a tool prints.
namespace vgsim::calibration::logs {

using Words = std::vector<std::string_view>;

struct Line {
  std::string_view text;    ///< without blanks around it and without the prefix of a launcher
  std::size_t number = 0;   ///< from 1
  std::size_t offset = 0;   ///< of the line's first byte in the text
  bool unfinished = false;  ///< the text ends within the line
};

/// Launchers name the process before each line: "[1,0]<stdout>:" (`mpirun --tag-output`) or "0: "
/// (`srun --label`). These prefixes are skipped; host names and time stamps are not.
[[nodiscard]] std::vector<Line> lines_in(std::string_view text);

/// Blanks, tabs and carriage returns.
[[nodiscard]] bool is_blank(char c);

/// The text without blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// What stands between blanks.
[[nodiscard]] Words split(std::string_view line);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// The program and its arguments, in a line that starts it: "user@box:~$ ./program -b 128". Empty
/// for any other line.
[[nodiscard]] std::span<const std::string_view> command_in(const Words& words,
                                                           std::string_view program);

/// The number, if the text is one and nothing else.
template <class Number>
[[nodiscard]] std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A number up to `most`, if the text is one and nothing else.
[[nodiscard]] inline std::optional<std::size_t> number_in(std::string_view text, std::size_t most) {
  const auto number = parse<std::size_t>(text);
  return number && *number <= most ? number : std::nullopt;
}

/// What stands before the sign; the text is then what stands behind it.
inline std::string_view cut_at(std::string_view& text, std::string_view sign) {
  const std::size_t at = text.find(sign);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + sign.size());
  return head;
}

/// A name or a word of a log, safe to print and at most 255 bytes long.
[[nodiscard]] inline std::string told_text(std::string_view text) {
  constexpr std::size_t kMost = 255;
  std::string shown = input::printable(text.substr(0, kMost));
  if (shown.size() <= kMost) return shown;
  shown.resize(kMost);
  while (!shown.empty() && input::find_invalid_utf8(shown) < shown.size()) shown.pop_back();
  return shown;
}

}  // namespace vgsim::calibration::logs
