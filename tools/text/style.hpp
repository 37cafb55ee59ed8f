#pragma once

#include <string>

namespace vgsim::text {

/// What --color says.
enum class ColorChoice { kAuto, kAlways, kNever };

/// "auto", "always" or "never"; other words are kAuto.
[[nodiscard]] ColorChoice color_choice(const std::string& word);

/// Emphasis for people at a terminal; without colour each text stays as it is. Colour never says
/// anything alone: the words have to do without it. It has no width for the eye but it has for
/// std::string, so columns are filled first and styled then.
struct Style {
  bool colored = false;

  [[nodiscard]] std::string bold(const std::string& text) const;
  [[nodiscard]] std::string red(const std::string& text) const;
  [[nodiscard]] std::string green(const std::string& text) const;
  [[nodiscard]] std::string yellow(const std::string& text) const;
};

/// Whether to colour, by https://no-color.org: on a terminal that is not "dumb", where NO_COLOR is
/// unset or empty. The variables as getenv() gives them.
[[nodiscard]] bool wants_color(ColorChoice choice, bool is_terminal, const char* no_color,
                               const char* term);

/// The style of a file descriptor of this process, such as STDOUT_FILENO.
[[nodiscard]] Style style_of(int descriptor, ColorChoice choice = ColorChoice::kAuto);

}  // namespace vgsim::text
