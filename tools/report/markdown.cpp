#include "tools/report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

std::string blocks_markdown(const std::vector<Block>& blocks);

std::string row_markdown(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += fmt::format(" {} |", escaped_markdown(cell));
  return row + "\n";
}

std::string table_markdown(const Table& table) {
  std::vector<std::string> names;
  std::string rule = "|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    names.push_back(table.columns[c].name);
    rule += table.columns[c].number && c > 0 ? " ---: |" : " --- |";
  }
  std::string text = row_markdown(names) + rule + "\n";
  for (const auto& row : table.rows) text += row_markdown(row);
  return text + "\n";
}

/// A fence that is longer than any in the text.
std::string fenced(const std::string& text, const char* language) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}\n{}\n\n", fence, language, text, fence);
}

/// A labelled sentence; empty for an empty text.
std::string sentence(const char* label, const std::string& text) {
  if (text.empty()) return text;
  return fmt::format(" {}{}{}", label, escaped_markdown(text), text.ends_with('.') ? "" : ".");
}

std::string finding_markdown(const FindingNote& note) {
  const std::string layouts =
      note.layouts.empty() ? std::string() : fmt::format(" ({})", escaped_markdown(note.layouts));
  return fmt::format("- **{}** `{}`{}:{}{}{}\n", note.verdict, note.rule, layouts,
                     sentence("", note.text), sentence("To do: ", note.remedy),
                     note.source.empty() ? "" : " Source: " + escaped_markdown(note.source));
}

struct ToMarkdown {
  std::string operator()(const Paragraph& paragraph) const {
    return escaped_markdown(paragraph.text) + "\n\n";
  }
  std::string operator()(const Table& table) const { return table_markdown(table); }
  std::string operator()(const Figure& figure) const {
    std::string text;
    if (!figure.heading.empty())
      text += fmt::format("### {}\n\n", escaped_markdown(figure.heading));
    if (!figure.data.rows.empty()) text += table_markdown(figure.data);
    if (!figure.caption.empty()) text += escaped_markdown(figure.caption) + "\n\n";
    return text;
  }
  std::string operator()(const Findings& findings) const {
    std::string text;
    for (const FindingNote& note : findings.notes) text += finding_markdown(note);
    return text + "\n";
  }
  std::string operator()(const List& list) const {
    std::string text;
    for (const std::string& item : list.items)
      text += fmt::format("- {}\n", escaped_markdown(item));
    return text + "\n";
  }
  std::string operator()(const Listing& listing) const {
    return fmt::format("{}:\n\n{}", escaped_markdown(listing.summary), fenced(listing.text, ""));
  }
  std::string operator()(const Details& details) const {
    return fmt::format("### {}\n\n{}", escaped_markdown(details.summary),
                       blocks_markdown(details.blocks));
  }
};

std::string blocks_markdown(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) text += std::visit(ToMarkdown(), block);
  return text;
}

}  // namespace

std::string to_markdown(const Page& page) {
  std::string text =
      fmt::format("# {}\n\n{}\n\n", escaped_markdown(page.title), escaped_markdown(page.subject));
  for (const std::string& sentence : page.verdict) text += escaped_markdown(sentence) + "\n\n";
  text += escaped_markdown(page.knowledge) + "\n\n";
  for (const Section& section : page.sections) {
    text += fmt::format("## {}: {}\n\n{}", escaped_markdown(section.topic),
                        escaped_markdown(section.heading), blocks_markdown(section.blocks));
  }
  return text + escaped_markdown(page.made_by) + "\n";
}

}  // namespace vgsim::report
