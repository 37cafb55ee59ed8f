#include "tools/text/fitting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tools/cli/screen/side_by_side.hpp"
#include "tools/text/terminal_size.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Shortened, EndsInAnEllipsisAndFits) {
  EXPECT_EQ(text::shortened("passthrough", 11), "passthrough");
  EXPECT_EQ(text::shortened("passthrough", 8), "passthr…");
  EXPECT_EQ(text::shortened("two words", 5), "two…");
  EXPECT_EQ(text::shortened("x", 0), "");
}

TEST(Shortened, CountsColumnsNotBytes) {
  EXPECT_EQ(text::shortened("größer", 6), "größer");
  EXPECT_EQ(text::shortened("虚拟机", 5), "虚拟…");
  EXPECT_EQ(input::display_width(text::shortened("虚拟机", 4)), 3U)
      << "half a character does not fit";
  EXPECT_EQ(input::display_width("⌚ 1"), 4U);
}

TEST(Shortened, LetsNothingThroughThatATerminalObeys) {
  const std::string shown = text::shortened("a\x1b[31m\nb\u202e", 40);
  EXPECT_EQ(shown, "a\\x1b[31m\\x0ab\\u202e");
  EXPECT_EQ(text::shortened("\x1b[31m", 3), "…") << "an escape is whole or not there";
}

TEST(ShortNames, CanBeToldApart) {
  EXPECT_THAT(text::short_names({"alpha one", "beta two"}, 6), ElementsAre("alpha…", "beta…"));
  EXPECT_THAT(text::short_names({"interleaved, 2", "interleaved, 6"}, 9),
              ElementsAre("inte…d, 2", "inte…d, 6"));
  const auto numbered =
      text::short_names({"the same start A the same end", "the same start B the same end"}, 9);
  EXPECT_NE(numbered[0], numbered[1]);
  for (const std::string& name : numbered) EXPECT_LE(input::display_width(name), 9U);
}

TEST(Listed, NamesAFewAndCountsTheRest) {
  EXPECT_EQ(text::names_listed({"a"}), "a");
  EXPECT_EQ(text::names_listed({"a", "b"}), "a and b");
  EXPECT_EQ(text::names_listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(text::names_listed({"a", "b", "c", "d", "e"}), "a, b and 3 more");
}

TEST(Paragraph, IsAlignedWithItsTextAndMarksCuts) {
  EXPECT_THAT(text::paragraph("held  ", "one two three four", 14, 3),
              ElementsAre("held  one two", "      three", "      four"));
  EXPECT_THAT(text::paragraph("held  ", "one two three four", 14, 2),
              ElementsAre("held  one two", "      three f…"));
  EXPECT_THAT(text::paragraph("", "averylongword", 6, 2), ElementsAre("avery…"));
}

TEST(Columns, AreTheTerminalsOrEighty) {
  EXPECT_EQ(text::columns_of(false, "200", 200), 80U) << "a file has no width";
  EXPECT_EQ(text::columns_of(true, nullptr, 100), 100U);
  EXPECT_EQ(text::columns_of(true, "90", 100), 90U);
  EXPECT_EQ(text::columns_of(true, "wide", 100), 100U);
  EXPECT_EQ(text::columns_of(true, nullptr, 0), 80U);
  EXPECT_EQ(text::columns_of(true, "9999", 0), text::columns_of(true, nullptr, 500))
      << "text has an end";
}

/// Layouts with three figures each, the slowest last.
SideBySide table_with(const std::vector<std::string>& names) {
  SideBySide table;
  table.names = names;
  table.rows = {{"training, 3 epochs", "3 epochs", 0, {}},
                {"against the fastest", "against", 0, {}},
                {"exposed communication", "comm.", 2, {}}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.order.push_back(i);
    for (text::LayoutRow& row : table.rows) row.cells.push_back(std::to_string(100 + i) + " %");
  }
  return table;
}

TEST(SideBySideTable, HasLayoutsAsColumnsWhereTheyFit) {
  const auto lines = side_by_side(table_with({"passthrough", "vgpu", "vgpu, no groups"}));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[0], HasSubstr("passthrough   vgpu  vgpu, no groups"));
  EXPECT_THAT(lines[1], HasSubstr("training, 3 epochs"));
}

TEST(SideBySideTable, HasManyLayoutsAsRowsWithNamesThatFit) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) {
    names.push_back("a layout with a name that is too long for one line, variant " +
                    std::to_string(i) + " \u202e\x1b[2J 虚拟机");
  }
  SideBySide table = table_with(names);
  table.lines = 13;
  const auto lines = side_by_side(table);
  ASSERT_EQ(lines.size(), 13U);
  for (const std::string& line : lines) {
    EXPECT_LE(input::display_width(line), 80U) << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), 13U);
}

TEST(SideBySideTable, CountsLayoutsThatAreTooMany) {
  SideBySide table = table_with(std::vector<std::string>(50, "layout"));
  for (std::size_t i = 0; i < 50; ++i) table.names[i] += " " + std::to_string(i);
  table.lines = 10;
  const auto lines = side_by_side(table);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_THAT(lines[1], HasSubstr("layout 0 ")) << "the first of the order";
  EXPECT_EQ(lines.back(), "42 more");
}

}  // namespace
}  // namespace vgsim::cli
