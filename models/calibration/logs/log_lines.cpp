#include "models/calibration/logs/log_lines.hpp"

#include <algorithm>

namespace vgsim::calibration::logs {
namespace {

/// The line after "[1,0]<stdout>:" or "0:".
///
/// mpirun and srun put the rank in front of each line, which would hide the tables of a test.
std::string_view without_launcher(std::string_view line) {
  if (line.starts_with('[')) {
    for (const std::string_view stream : {"]<stdout>:", "]<stderr>:"}) {
      const std::size_t end = line.find(stream);
      if (end != std::string_view::npos) return trimmed(line.substr(end + stream.size()));
    }
    return line;
  }
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || !line.substr(digits).starts_with(':')) return line;
  const std::string_view rest = line.substr(digits + 1);
  return rest.empty() || is_blank(rest.front()) ? trimmed(rest) : line;
}

}  // namespace

std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({without_launcher(trimmed(text.substr(begin, end - begin))), lines.size() + 1,
                     begin, end == text.size()});
    begin = end + 1;
  }
  return lines;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

Words split(std::string_view line) {
  Words words;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::span<const std::string_view> command_in(const Words& words, std::string_view program) {
  const auto begin = std::ranges::find_if(words, [&](std::string_view word) {
    if (!word.ends_with(program)) return false;
    word.remove_suffix(program.size());
    return word.empty() || word.ends_with('/');
  });
  return std::span<const std::string_view>(words).subspan(
      static_cast<std::size_t>(begin - words.begin()));
}

}  // namespace vgsim::calibration::logs
