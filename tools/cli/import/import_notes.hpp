#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vgsim::cli {

/// Messages of an import: sentences under headings such as "found" and "assumed".
class ImportNotes {
 public:
  void add(const std::string& title, const std::string& sentence);
  void add(const std::string& title, const std::vector<std::string>& sentences);

  /// Each sentence once, in order, at most 40 under a heading, wrapped to the terminal;
  /// control characters from files are escaped.
  [[nodiscard]] std::string text() const;
  /// The same as pairs of heading and sentence, without wrapping.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> lines() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace vgsim::cli
