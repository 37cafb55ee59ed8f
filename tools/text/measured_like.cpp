#include "tools/text/measured_like.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tools/text/words.hpp"

namespace vgsim::text {

std::string measured_like_words(const scenario::MeasuredLike& each) {
  std::string words = fmt::format("{}: {}", each.what, plural(each.machines, "measured machine"));
  if (each.architecture.empty()) return words;
  std::string architecture = each.architecture;
  architecture.front() = static_cast<char>(std::toupper(architecture.front()));
  const std::string number = each.like == 0               ? std::string("none")
                             : each.like == each.machines ? std::string("all")
                                                          : fmt::format("{}", each.like);
  return fmt::format("{}, {} of them with {} GPUs", words, number, architecture);
}

std::vector<std::string> measured_like_words(const scenario::ScenarioResult& result) {
  std::vector<std::string> all;
  for (const scenario::LayoutResult& layout : result.layouts) {
    for (const scenario::MeasuredLike& each : layout.measured_like) {
      std::string words = measured_like_words(each);
      if (std::find(all.begin(), all.end(), words) == all.end()) all.push_back(std::move(words));
    }
  }
  return all;
}

void add_unlike_measured(const scenario::LayoutResult& layout, std::size_t most_lines,
                         ScreenLines& lines) {
  std::string text;
  for (const scenario::MeasuredLike& each : layout.measured_like) {
    if (each.like > 0) continue;
    text += (text.empty() ? "" : "; ") + measured_like_words(each);
  }
  if (!text.empty()) lines.labelled("measured", text, most_lines);
}

}  // namespace vgsim::text
