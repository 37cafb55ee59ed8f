#include "tools/report/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

namespace vgsim::report {
namespace text_test {

/// Printable ASCII, marks of HTML, and letters of two and three bytes.
std::string any_text() {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "<", ">", "&", "\"", "'", "</script>", "<!--", "a", "W", " ", "|", "`", "\u00e9", "\u4e2d"));
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

RC_GTEST_PROP(EscapedText, IsReadBackAsItWas, ()) {
  const std::string text = any_text();
  pugi::xml_document document;
  RC_ASSERT(
      document.load_string(("<p a=\"" + escaped(text) + "\">" + escaped(text) + "</p>").c_str(),
                           pugi::parse_default | pugi::parse_ws_pcdata));
  RC_ASSERT(std::string(document.child("p").child_value()) == text);
  RC_ASSERT(std::string(document.child("p").attribute("a").value()) == text);
}

RC_GTEST_PROP(EscapedJson, IsTheSameJsonAndEndsNoElement, ()) {
  const nlohmann::json value = any_text();
  const std::string text = escaped_json(value.dump());
  RC_ASSERT(nlohmann::json::parse(text) == value);
  RC_ASSERT(text.find('<') == std::string::npos);
}

RC_GTEST_PROP(ShortenedText, FitsAndBeginsLikeTheWhole, ()) {
  const std::string text = any_text();
  const double width = *rc::gen::inRange(20, 200);
  const std::string cut = shortened(text, 12, width);
  RC_ASSERT(text_width(cut, 12) <= width);
  if (cut == text) return;
  const std::string ellipsis = "\u2026";
  RC_ASSERT(cut.ends_with(ellipsis));
  RC_ASSERT(text.starts_with(cut.substr(0, cut.size() - ellipsis.size())));
}

RC_GTEST_PROP(Lines, HoldAllWordsWhereThereIsRoom, (std::vector<bool> long_words)) {
  std::string text;
  for (const bool is_long : long_words) {
    text += text.empty() ? "" : " ";
    text += is_long ? "passthrough" : "a";
  }
  std::string joined;
  for (const std::string& line : lines_of(text, 12, 90, 1000)) {
    RC_ASSERT(text_width(line, 12) <= 90.0);
    joined += joined.empty() ? line : " " + line;
  }
  RC_ASSERT(joined == text);
}

TEST(ReportText, ThousandsAreSetApartFromFiveDigitsOn) {
  EXPECT_EQ(grouped("102283/s"), "102,283/s");
  EXPECT_EQ(grouped("203611.25 kWh"), "203,611.25 kWh");
  EXPECT_EQ(grouped("1234567"), "1,234,567");
  EXPECT_EQ(grouped("100000"), "100,000");
  for (const char* same : {"4262/s", "3.844 s", "-", "", "12 to 17 min"}) {
    EXPECT_EQ(grouped(same), same);
  }
}

TEST(TextWidth, OfDigitsIsTheSame) {
  for (const char* digit : {"1", "2", "7", "9"}) {
    EXPECT_DOUBLE_EQ(text_width(digit, 10), text_width("0", 10));
  }
  EXPECT_GT(text_width("W", 10), 3 * text_width("i", 10));
}

TEST(Typeset, FiguresKeepTheirUnitsAndLinksTheirArrows) {
  EXPECT_EQ(typeset("268.2 ms, 38 %"), "268.2\u00A0ms, 38\u00A0%");
  EXPECT_EQ(typeset("4 hosts"), "4 hosts");
  EXPECT_EQ(typeset("no % sign"), "no % sign");
  EXPECT_EQ(typeset("esx01/vmnic4 -> leaf1"), "esx01/vmnic4 \u2192 leaf1");
  EXPECT_EQ(typeset("gpu0 <-> host <b>"), "gpu0 \u2194 host &lt;b&gt;");
}

TEST(EscapedMarkdown, EndsNoCellAndMarksNothingUp) {
  EXPECT_EQ(escaped_markdown("a|b"), "a\\|b");
  EXPECT_EQ(escaped_markdown("*_`<"), "\\*\\_\\`\\<");
  EXPECT_EQ(escaped_markdown("two\nlines"), "two lines");
}

}  // namespace text_test
}  // namespace vgsim::report
