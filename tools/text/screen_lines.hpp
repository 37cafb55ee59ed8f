#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/text/room.hpp"
#include "tools/text/table.hpp"

namespace vgsim::text {

/// What colour says beside the words.
enum class Tone { kPlain, kGood, kBad };

/// Lines of a first screen that are no table.
class ScreenLines {
 public:
  explicit ScreenLines(const Room& room) : room_(room) {}

  /// Each adds a text in so many lines at most and returns how many it took.
  std::size_t verdict(const std::string& text, std::size_t most_lines);
  std::size_t text(const std::string& text, std::size_t most_lines);
  /// Behind a label of its own column.
  std::size_t labelled(const std::string& label, const std::string& text, std::size_t most_lines,
                       Tone tone = Tone::kPlain);

  /// Whether a labelled text is whole in so many lines.
  [[nodiscard]] bool fits(const std::string& label, const std::string& text,
                          std::size_t lines) const;
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] std::string joined() const;

 private:
  Room room_;
  std::vector<std::string> lines_;
};

/// Lines with an end each.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);

/// Those of a table.
[[nodiscard]] std::vector<std::string> lines_of(const Table& table);

}  // namespace vgsim::text
