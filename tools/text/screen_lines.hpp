#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/text/table.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::text {

/// Purpose of an emphasis; the text must be clear without colour.
enum class Tone { kPlain, kGood, kBad };

/// The lines of a first screen above or below its table.
class ScreenLines {
 public:
  explicit ScreenLines(const TerminalSize& terminal) : terminal_(terminal) {}

  /// Each adds a text in at most that many lines and returns how many it took.
  std::size_t verdict(const std::string& text, std::size_t most_lines);
  std::size_t text(const std::string& text, std::size_t most_lines);
  /// With a label in a separate column.
  std::size_t labelled(const std::string& label, const std::string& text, std::size_t most_lines,
                       Tone tone = Tone::kPlain);

  /// The first of the texts that fits without a cut, or the last one.
  std::size_t labelled_to_fit(const std::string& label, const std::vector<std::string>& texts,
                              std::size_t most_lines, Tone tone = Tone::kPlain);

  /// Whether a labelled text fits in that many lines without a cut.
  [[nodiscard]] bool fits(const std::string& label, const std::string& text,
                          std::size_t lines) const;
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] std::string joined() const;

 private:
  TerminalSize terminal_;
  std::vector<std::string> lines_;
};

/// The lines, each with a line end.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);

/// The lines of a table.
[[nodiscard]] std::vector<std::string> lines_of(const Table& table);

}  // namespace vgsim::text
