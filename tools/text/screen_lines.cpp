#include "tools/text/screen_lines.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/text/fitting.hpp"

namespace vgsim::text {
namespace {

/// Labels have one width, so that texts are aligned.
std::string padded_label(const std::string& label) { return fmt::format("{:<12}  ", label); }

}  // namespace

std::size_t ScreenLines::verdict(const std::string& text, std::size_t most_lines) {
  const auto lines = paragraph("", text, terminal_.columns, most_lines);
  for (const std::string& line : lines) lines_.push_back(terminal_.style.bold(line));
  return lines.size();
}

std::size_t ScreenLines::text(const std::string& text, std::size_t most_lines) {
  const auto lines = paragraph("", text, terminal_.columns, most_lines);
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  return lines.size();
}

std::size_t ScreenLines::labelled(const std::string& label, const std::string& text,
                                  std::size_t most_lines, Tone tone) {
  const auto lines = paragraph(padded_label(label), text, terminal_.columns, most_lines);
  for (const std::string& line : lines) {
    lines_.push_back(tone == Tone::kGood  ? terminal_.style.green(line)
                     : tone == Tone::kBad ? terminal_.style.red(line)
                                          : line);
  }
  return lines.size();
}

std::size_t ScreenLines::labelled_to_fit(const std::string& label,
                                         const std::vector<std::string>& texts,
                                         std::size_t most_lines, Tone tone) {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const std::string& each) {
    return fits(label, each, most_lines);
  });
  return labelled(label, found == texts.end() ? texts.back() : *found, most_lines, tone);
}

bool ScreenLines::fits(const std::string& label, const std::string& text, std::size_t lines) const {
  return paragraph(padded_label(label), text, terminal_.columns, lines + 1).size() <= lines;
}

std::string ScreenLines::joined() const { return joined_lines(lines_); }

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> lines_of(const Table& table) {
  std::vector<std::string> lines;
  const std::string text = table.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace vgsim::text
