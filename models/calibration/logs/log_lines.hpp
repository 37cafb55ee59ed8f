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

/// Lines, words and numbers in the text output of tools.
namespace vgsim::calibration::logs {

using Words = std::vector<std::string_view>;

struct Line {
  std::string_view text;    ///< without surrounding blanks and launcher prefix
  std::size_t number = 0;   ///< from 1
  std::size_t offset = 0;   ///< of the line's first byte in the text
  bool unfinished = false;  ///< the text ends within the line
};

/// Launcher prefixes that are skipped: "[1,0]<stdout>:" (`mpirun --tag-output`) and "0: " (`srun
/// --label`). Host names and time stamps are not skipped.
[[nodiscard]] std::vector<Line> lines_in(std::string_view text);

/// Blanks, tabs and carriage returns.
[[nodiscard]] bool is_blank(char c);

/// The text without surrounding blanks.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The words between blanks.
[[nodiscard]] Words split(std::string_view line);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// The program and its arguments in a command line: "user@box:~$ ./program -b 128". Empty for any
/// other line.
[[nodiscard]] std::span<const std::string_view> command_in(const Words& words,
                                                           std::string_view program);

/// The number if the whole text is one.
template <class Number>
[[nodiscard]] std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The number if the whole text is one, up to `most`.
[[nodiscard]] inline std::optional<std::size_t> number_in(std::string_view text, std::size_t most) {
  const auto number = parse<std::size_t>(text);
  return number && *number <= most ? number : std::nullopt;
}

/// Returns the text before the separator and removes it, with the separator, from `text`.
inline std::string_view cut_at(std::string_view& text, std::string_view sign) {
  const std::size_t at = text.find(sign);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + sign.size());
  return head;
}

/// A name or word of a log with printable characters only, at most 255 bytes.
[[nodiscard]] inline std::string printable_text(std::string_view text) {
  constexpr std::size_t kMost = 255;
  std::string shown = input::printable(text.substr(0, kMost));
  if (shown.size() <= kMost) return shown;
  shown.resize(kMost);
  while (!shown.empty() && input::find_invalid_utf8(shown) < shown.size()) shown.pop_back();
  return shown;
}

}  // namespace vgsim::calibration::logs
