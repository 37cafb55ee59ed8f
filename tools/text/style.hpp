#pragma once

#include <string>

namespace vgsim::text {

/// Value of --color.
enum class ColorChoice { kAuto, kAlways, kNever };

/// "auto", "always" or "never"; other words are kAuto.
[[nodiscard]] ColorChoice color_choice(const std::string& word);

/// Emphasis for a terminal; without colour texts are unchanged. Colour carries no additional
/// information. Escape sequences count in std::string::size(), so columns are padded before they
/// are styled.
struct Style {
  bool colored = false;

  [[nodiscard]] std::string bold(const std::string& text) const;
  [[nodiscard]] std::string red(const std::string& text) const;
  [[nodiscard]] std::string green(const std::string& text) const;
  [[nodiscard]] std::string yellow(const std::string& text) const;
};

/// Whether to use colour, by https://no-color.org: on a terminal that is not "dumb", if
/// NO_COLOR is unset or empty. The variables are as getenv() returns them.
[[nodiscard]] bool wants_color(ColorChoice choice, bool is_terminal, const char* no_color,
                               const char* term);

/// The style of a file descriptor of this process, such as STDOUT_FILENO.
[[nodiscard]] Style style_of(int descriptor, ColorChoice choice = ColorChoice::kAuto);

}  // namespace vgsim::text
