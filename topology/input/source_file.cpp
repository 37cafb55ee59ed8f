#include "topology/input/source_file.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vgsim::input {

LineColumn line_column(const Location& location) {
  LineColumn result;
  if (location.source == nullptr) return result;
  const std::string_view text = location.source->text;
  const std::size_t offset = std::min(location.offset, text.size());
  const std::string_view before = text.substr(0, offset);
  result.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  std::string_view on_line = newline == before.npos ? before : before.substr(newline + 1);
  if (newline == before.npos && on_line.starts_with("\xEF\xBB\xBF")) on_line.remove_prefix(3);
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; };
  result.column +=
      static_cast<std::size_t>(std::count_if(on_line.begin(), on_line.end(), starts_character));
  return result;
}

SourcePtr make_source(std::string path, std::string text) {
  return std::make_shared<const SourceFile>(SourceFile{std::move(path), std::move(text), false});
}

}  // namespace vgsim::input
