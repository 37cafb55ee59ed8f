#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vgsim::cli {

/// What an import tells a person: sentences under words such as "found" and "assumed".
class ImportNotes {
 public:
  void add(const std::string& title, const std::string& sentence);
  void add(const std::string& title, const std::vector<std::string>& sentences);

  /// A line for each sentence, in the order given, each once and at most 40 under a word, broken at
  /// the width of a terminal; nothing from the files reaches it as a control character.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace vgsim::cli
