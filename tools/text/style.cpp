#include "tools/text/style.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace vgsim::text {
namespace {

/// Select Graphic Rendition (ECMA-48), reset behind the text.
std::string rendered(bool colored, int code, const std::string& text) {
  return colored && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace

ColorChoice color_choice(const std::string& word) {
  if (word == "always") return ColorChoice::kAlways;
  return word == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

std::string Style::bold(const std::string& text) const { return rendered(colored, 1, text); }
std::string Style::red(const std::string& text) const { return rendered(colored, 31, text); }
std::string Style::green(const std::string& text) const { return rendered(colored, 32, text); }
std::string Style::yellow(const std::string& text) const { return rendered(colored, 33, text); }

bool wants_color(ColorChoice choice, bool is_terminal, const char* no_color, const char* term) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool able = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return is_terminal && !refused && able;
}

Style style_of(int descriptor, ColorChoice choice) {
  return {
      wants_color(choice, isatty(descriptor) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"))};
}

}  // namespace vgsim::text
