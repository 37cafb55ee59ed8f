#include "tools/cli/text/help_topics.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

bool is_heading(const std::string& line) {
  const std::size_t signs = line.find_first_not_of('#');
  return signs != std::string::npos && signs > 0 && signs <= 6 && line[signs] == ' ';
}

std::string heading_text(const std::string& line) {
  return line.substr(line.find_first_not_of("# "));
}

std::string first_heading(const std::string& markdown) {
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (is_heading(line)) return heading_text(line);
  }
  return {};
}

/// Appends "the words" of "[the words](where)" at `at`; npos appends the rest.
std::size_t take_link(const std::string& line, std::size_t at, std::string& text) {
  const std::size_t middle = line.find("](", at);
  const std::size_t end = middle == std::string::npos ? middle : line.find(')', middle);
  if (end == std::string::npos || line.find('[', at + 1) < middle) return std::string::npos;
  text += line.substr(at + 1, middle - at - 1);
  const std::string where = line.substr(middle + 2, end - middle - 2);
  if (where.starts_with("http")) text += " (" + where + ")";
  return end;
}

std::string without_signs(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') continue;
    if (line.compare(i, 2, "**") == 0) {
      ++i;
      continue;
    }
    if (line[i] == '[') {
      const std::size_t end = take_link(line, i, text);
      if (end != std::string::npos) {
        i = end;
        continue;
      }
    }
    text += line[i];
  }
  return text;
}

}  // namespace

std::vector<HelpTopic> help_topics(const std::string& config_dir) {
  std::vector<HelpTopic> topics;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(config_dir) / "help", error)) {
    if (entry.path().extension() != ".md") continue;
    const auto source = input::load_source(entry.path().string());
    if (!source) continue;
    topics.push_back(
        {entry.path().stem().string(), first_heading((*source)->text), (*source)->text});
  }
  std::sort(topics.begin(), topics.end(),
            [](const HelpTopic& a, const HelpTopic& b) { return a.name < b.name; });
  return topics;
}

std::string plain_text(const std::string& markdown) {
  std::string text;
  bool is_code = false;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_code = !is_code;
      continue;
    }
    if (!is_code && line.starts_with("<!--")) continue;  // comments for tests of the page
    if (is_code) {
      text += "    " + line;
    } else if (line.starts_with("    ")) {
      text += line;
    } else {
      text += without_signs(is_heading(line) ? heading_text(line) : line);
    }
    text += '\n';
  }
  return text;
}

}  // namespace vgsim::cli
