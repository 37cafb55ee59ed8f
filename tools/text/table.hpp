#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vgsim::text {

/// Text in columns: the first is left-aligned, the others right-aligned, two blanks between.
class Table {
 public:
  /// `left`: left-aligned columns besides the first.
  explicit Table(std::set<std::size_t> left = {}) : left_(std::move(left)) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void add_blank() { rows_.emplace_back(); }

  /// The rows, one per line, without blanks at the ends of lines.
  [[nodiscard]] std::string text() const;

 private:
  std::set<std::size_t> left_;
  std::vector<std::vector<std::string>> rows_;
};

/// The text broken at blanks into lines of at most `width` characters; lines after the first
/// are indented by `indent` blanks. A word that is longer than a line is not broken.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t indent,
                               std::size_t width = 100);

}  // namespace vgsim::text
