#include "tools/cli/import/import_notes.hpp"

#include <fmt/core.h>

#include "tools/text/table.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::cli {

void ImportNotes::add(const std::string& title, const std::string& sentence) {
  lines_.emplace_back(title, sentence);
}

void ImportNotes::add(const std::string& title, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) add(title, sentence);
}

std::string ImportNotes::text() const {
  constexpr std::size_t kIndent = 10;
  constexpr std::size_t kWidth = 100;
  std::string text;
  for (const auto& [title, sentence] : lines_) {
    text += fmt::format("{:>{}}  {}\n", title, kIndent - 2,
                        wrap(input::printable(sentence), kIndent, kWidth - kIndent));
  }
  return text;
}

}  // namespace vgsim::cli
