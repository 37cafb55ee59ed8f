#include "tools/text/style.hpp"

#include <gtest/gtest.h>

namespace vgsim::cli {
namespace style_test {

TEST(Style, ColoursOnATerminalThatIsAbleTo) {
  EXPECT_TRUE(text::wants_color(text::ColorChoice::kAuto, true, nullptr, "xterm-256color"));
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, false, nullptr, "xterm-256color"));
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, true, nullptr, "dumb"));
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, true, nullptr, ""));
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, true, nullptr, nullptr));
}

/// https://no-color.org: "when present and not an empty string (regardless of its value)".
TEST(Style, NoColorSwitchesItOffWhateverItsValue) {
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, true, "1", "xterm"));
  EXPECT_FALSE(text::wants_color(text::ColorChoice::kAuto, true, "0", "xterm"));
  EXPECT_TRUE(text::wants_color(text::ColorChoice::kAuto, true, "", "xterm"));
}

TEST(Style, OptionsTakePrecedenceOverTheEnvironment) {
  EXPECT_TRUE(text::wants_color(text::color_choice("always"), false, "1", "dumb"));
  EXPECT_FALSE(text::wants_color(text::color_choice("never"), true, nullptr, "xterm"));
}

TEST(Style, WithoutColourATextStaysAsItIs) {
  EXPECT_EQ(text::Style{}.red("wrong"), "wrong");
  EXPECT_EQ(text::Style{true}.green(""), "");
}

TEST(Style, ColourEndsWithTheText) {
  const std::string text = text::Style{true}.yellow("note");
  EXPECT_TRUE(text.starts_with("\x1b["));
  EXPECT_NE(text.find("note"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\x1b[0m"));
}

}  // namespace style_test
}  // namespace vgsim::cli
