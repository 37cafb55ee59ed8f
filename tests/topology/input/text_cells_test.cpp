#include "topology/input/text_cells.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vgsim::input {
namespace text_cells_test {

TEST(Utf8, LengthsOfWellFormedCharacters) {
  EXPECT_EQ(utf8_length("a", 0), 1u);
  EXPECT_EQ(utf8_length("\xC3\xA9", 0), 2u);
  EXPECT_EQ(utf8_length("\xE6\x97\xA5", 0), 3u);
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80", 0), 4u);
  EXPECT_EQ(utf8_length("\xF4\x8F\xBF\xBF", 0), 4u);
}

TEST(Utf8, OverlongSurrogateCutOffAndTooLargeAreNone) {
  for (const std::string bytes :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xFF", "\xE6\x97", "\xC3x"}) {
    EXPECT_EQ(utf8_length(bytes, 0), 0u) << ::testing::PrintToString(bytes);
  }
}

TEST(Utf8, TheFirstInvalidByteIsFound) {
  EXPECT_EQ(find_invalid_utf8("abc"), 3u);
  EXPECT_EQ(find_invalid_utf8("é日\xFFz"), 5u);
}

TEST(Printable, EscapesControlsDirectionMarksAndBrokenBytes) {
  EXPECT_EQ(printable("a\x1b[0m\x7f"), "a\\x1b[0m\\x7f");
  EXPECT_EQ(printable("x\xE2\x80\xAEy"), "x\\u202ey");
  EXPECT_EQ(printable("x\xC2\x85"), "x\\u0085");
  EXPECT_EQ(printable("\xFFz"), "\\xffz");
  EXPECT_EQ(printable("\xF3\xA0\x81\x81"), "\\U000e0041");
  EXPECT_EQ(printable("é日😀"), "é日😀");
}

RC_GTEST_PROP(Printable, IsAlwaysValidAndHarmless, (const std::string& bytes)) {
  const std::string shown = printable(bytes);
  RC_ASSERT(find_invalid_utf8(shown) == shown.size());
  for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f');
  RC_ASSERT(printable(shown) == shown);
}

}  // namespace text_cells_test
}  // namespace vgsim::input
