#include "tools/cli/import/import_notes.hpp"

#include <fmt/core.h>

#include <map>
#include <set>

#include "tools/text/table.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::cli {

void ImportNotes::add(const std::string& title, const std::string& sentence) {
  lines_.emplace_back(title, sentence);
}

void ImportNotes::add(const std::string& title, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) add(title, sentence);
}

std::vector<std::pair<std::string, std::string>> ImportNotes::lines() const {
  constexpr std::size_t kMostOfTitle = 40;
  std::vector<std::pair<std::string, std::string>> lines;
  std::map<std::string, std::set<std::string>> seen;
  std::map<std::string, std::size_t> left;
  for (const auto& [title, sentence] : lines_) {
    std::set<std::string>& known = seen[title];
    if (known.contains(sentence)) continue;
    if (known.size() >= kMostOfTitle) {
      ++left[title];
      continue;
    }
    known.insert(sentence);
    lines.emplace_back(title, input::printable(sentence));
  }
  for (const auto& [title, count] : left)
    lines.emplace_back(title, fmt::format("and {} more", count));
  return lines;
}

std::string ImportNotes::text() const {
  constexpr std::size_t kIndent = 10;
  constexpr std::size_t kWidth = 80;
  std::string text;
  for (const auto& [title, sentence] : lines()) {
    text += fmt::format("{:>{}}  {}\n", title, kIndent - 2,
                        text::wrap(sentence, kIndent, kWidth - kIndent));
  }
  return text;
}

}  // namespace vgsim::cli
