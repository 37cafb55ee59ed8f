#include "topology/input/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace vgsim::input {
namespace diagnostics_test {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Line and caret line for an error at the first occurrence of `token`.
std::vector<std::string> snippet(const std::string& text, const std::string& token) {
  Diagnostics diagnostics;
  diagnostics.error("E1", {make_source("f", text), text.find(token), token.size()}, "", "m");
  const auto lines = lines_of(render(diagnostics));
  return {lines.at(1), lines.at(2)};
}

TEST(Render, ShowsPlaceLineCaretHintPointerAndExpectation) {
  const std::string text = "{\n  \"a\": {\"bandwidht\": 1}\n}\n";
  Diagnostics diagnostics;
  diagnostics.error("E201", {make_source("rack.json", text), text.find("\"bandwidht"), 11},
                    "/a/bandwidht", "unknown key \"bandwidht\"", "one of: kind, bandwidth",
                    {"bandwidth"});
  EXPECT_EQ(render(diagnostics),
            "rack.json:2:9: error E201: unknown key \"bandwidht\"\n"
            "   2 |   \"a\": {\"bandwidht\": 1}\n"
            "     |         ^^^^^^^^^^^ did you mean \"bandwidth\"?\n"
            "   at /a/bandwidht\n"
            "   expected one of: kind, bandwidth\n"
            "\n"
            "1 error\n");
}

TEST(Render, IsEmptyWithoutDiagnostics) { EXPECT_EQ(render(Diagnostics()), ""); }

TEST(Render, WithoutALocationOnlyTheMessageIsShown) {
  Diagnostics diagnostics;
  diagnostics.warning("W1", {}, "", "no such host", "", {"esx01", "esx02", "esx03"});
  EXPECT_EQ(render(diagnostics),
            "warning W1: no such host\n"
            "   did you mean \"esx01\", \"esx02\" or \"esx03\"?\n"
            "\n"
            "1 warning\n");
}

TEST(Render, CaretIsUnderTheTokenAfterTabsAccentsAndWideCharacters) {
  // A tab is drawn as two blanks, a wide character takes two columns, an accent none.
  EXPECT_EQ(snippet("\t\"x\"", "\"x\""),
            (std::vector<std::string>{"   1 |   \"x\"", "     |   ^^^"}));
  EXPECT_EQ(snippet("é \"x\"", "\"x\""),
            (std::vector<std::string>{"   1 | é \"x\"", "     |   ^^^"}));
  EXPECT_EQ(snippet("日本 \"x\"", "\"x\""),
            (std::vector<std::string>{"   1 | 日本 \"x\"", "     |      ^^^"}));
  EXPECT_EQ(snippet("e\xCC\x81 \"x\"", "\"x\""),
            (std::vector<std::string>{"   1 | e\xCC\x81 \"x\"", "     |   ^^^"}));
}

TEST(Render, CaretIsAsWideAsTheTokenIsDrawn) {
  EXPECT_EQ(snippet("[\"日本\"]", "\"日本\"").at(1), "     |  ^^^^^^");
}

TEST(Render, LongLinesAreCutAroundTheCaret) {
  const std::string text = std::string(5000, 'a') + "BAD" + std::string(5000, 'b');
  const auto shown = snippet(text, "BAD");
  EXPECT_LT(shown.at(0).size(), 120u);
  EXPECT_EQ(shown.at(0).find("BAD"), shown.at(1).find("^^^"));
  EXPECT_THAT(shown.at(0), HasSubstr("| ..."));
  EXPECT_EQ(shown.at(0).substr(shown.at(0).size() - 3), "...");
}

TEST(Render, ATokenLongerThanTheLineIsMarkedAsFarAsItIsShown) {
  const auto shown = snippet(std::string(3000, 'x'), std::string(2000, 'x'));
  EXPECT_EQ(std::count(shown.at(1).begin(), shown.at(1).end(), '^'), 100);
}

TEST(Render, NothingHostileReachesTheTerminal) {
  const std::string text = "\x1b[31mred \xC2\x9B \xE2\x80\xAE \x07";
  Diagnostics diagnostics;
  diagnostics.error("E1", {make_source("bad\x1b[0m.json", text), 0, 1}, "/\x1b[1m", "found \x1b[2J",
                    "not \x9b", {"\x1b]0;title\x07"});
  const std::string shown = render(diagnostics);
  const auto is_control = [](char c) {
    return c != '\n' && (static_cast<unsigned char>(c) < 0x20);
  };
  EXPECT_EQ(std::count_if(shown.begin(), shown.end(), is_control), 0);
  EXPECT_THAT(shown, Not(HasSubstr("\xC2\x9B")));
  EXPECT_THAT(shown, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(shown, HasSubstr("\\x1b[31mred \\u009b \\u202e \\x07"));
  EXPECT_THAT(shown, HasSubstr("found \\x1b[2J"));
}

TEST(Render, HugeKeysAreNotPrintedInFull) {
  const std::string huge(100'000, 'k');
  Diagnostics diagnostics;
  diagnostics.error("E1", {make_source(huge, huge), 0, huge.size()}, "/" + huge, "found " + huge,
                    "not " + huge);
  EXPECT_LT(render(diagnostics).size(), 5000u);
}

TEST(Render, AtMostTwentyErrorsAreShownAndTheRestCounted) {
  const SourcePtr source = make_source("f", std::string(30, 'x'));
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 25; ++i) diagnostics.error("E1", {source, i, 1}, "", "m");
  const auto lines = lines_of(render(diagnostics));
  const auto shown = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find(": error E1") != std::string::npos;
  });
  EXPECT_EQ(shown, 20);
  EXPECT_EQ(lines.back(), "25 errors; 5 more not shown");
}

TEST(Render, ManyWarningsDoNotHideAnError) {
  const SourcePtr source = make_source("f", std::string(40, 'x'));
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 30; ++i) diagnostics.warning("W1", {source, i, 1}, "", "m");
  diagnostics.error("E9", {source, 39, 1}, "", "late");
  EXPECT_THAT(render(diagnostics), HasSubstr("error E9: late"));
  EXPECT_THAT(render(diagnostics), HasSubstr("1 error, 30 warnings; 10 more not shown"));
}

TEST(Render, TheEndOfAFileAndAnEmptyFileCanBePointedAt) {
  Diagnostics diagnostics;
  diagnostics.error("E1", {make_source("f", "{\n"), 2, 1}, "", "end");
  diagnostics.error("E1", {make_source("g", ""), 0, 1}, "", "empty");
  diagnostics.error("E1", {make_source("h", "{}"), 99, 5}, "", "beyond");
  const std::string shown = render(diagnostics);
  EXPECT_THAT(shown, HasSubstr("f:2:1: error E1: end\n   2 | \n     | ^\n"));
  EXPECT_THAT(shown, HasSubstr("g:1:1: error E1: empty\n"));
  EXPECT_THAT(shown, HasSubstr("h:1:3: error E1: beyond\n   1 | {}\n     |   ^\n"));
}

TEST(Diagnostics, AreSortedByFileAndOffsetWithoutRepetitions) {
  const SourcePtr a = make_source("a", "xxxxx");
  const SourcePtr b = make_source("b", "xxxxx");
  Diagnostics diagnostics;
  diagnostics.error("E1", {b, 0, 1}, "", "third");
  diagnostics.error("E1", {a, 3, 1}, "", "second");
  diagnostics.error("E1", {a, 1, 1}, "", "first");
  diagnostics.error("E1", {a, 3, 1}, "", "second");
  std::vector<std::string> messages;
  for (const Diagnostic& item : diagnostics.items()) messages.push_back(item.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"first", "second", "third"}));
}

TEST(Diagnostics, WarningsAreNotErrors) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  diagnostics.warning("W1", {}, "", "slow");
  EXPECT_FALSE(diagnostics.has_errors());
  Diagnostics all;
  all.error("E1", {}, "", "bad");
  diagnostics.append(all);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.items().size(), 2u);
}

TEST(Diagnostics, BeyondTheCapacityTheyAreOnlyCounted) {
  const SourcePtr source = make_source("f", std::string(3000, 'x'));
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < 1500; ++i) diagnostics.error("E1", {source, i, 1}, "", "m");
  EXPECT_EQ(diagnostics.items().size(), Diagnostics::kCapacity);
  EXPECT_EQ(diagnostics.dropped(Severity::error), 500u);
  EXPECT_EQ(diagnostics.dropped(Severity::warning), 0u);
  EXPECT_THAT(render(diagnostics), HasSubstr("1500 errors; 1480 more not shown"));
}

TEST(LineColumn, CountsLinesAndCodePointsFromOne) {
  const SourcePtr source = make_source("f", "ab\né日x\n");
  const auto at = [&](std::size_t offset) {
    const LineColumn place = line_column({source, offset, 1});
    return std::pair(place.line, place.column);
  };
  EXPECT_EQ(at(0), std::pair(1ul, 1ul));
  EXPECT_EQ(at(2), std::pair(1ul, 3ul));
  EXPECT_EQ(at(3), std::pair(2ul, 1ul));
  EXPECT_EQ(at(5), std::pair(2ul, 2ul));
  EXPECT_EQ(at(8), std::pair(2ul, 3ul));
  EXPECT_EQ(at(10), std::pair(3ul, 1ul));
}

TEST(LineColumn, AByteOrderMarkTakesNoColumn) {
  const LineColumn place = line_column({make_source("f", "\xEF\xBB\xBF{x"), 4, 1});
  EXPECT_EQ(place.column, 2u);
}

}  // namespace diagnostics_test
}  // namespace vgsim::input
