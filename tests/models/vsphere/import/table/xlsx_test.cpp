#include "models/vsphere/import/table/xlsx.hpp"

#include <gmock/gmock.h>

#include "tests/models/vsphere/import/table/xlsx_fixture.hpp"

namespace vgsim::vsphere::import {
namespace xlsx_test {

using ::testing::HasSubstr;
using testing::workbook_of;
using testing::workbook_parts;
using testing::zip_of;

bool none(std::string_view) { return false; }

/// The table of the first sheet, or what is wrong.
std::string table_of(const std::string& workbook) {
  const auto sheets = read_xlsx(input::make_source("a.xlsx", workbook), &none);
  return sheets ? sheets->at(0).table->text : input::render(sheets.error());
}

std::string with_cells(const std::string& rows, const std::string& shared = {}) {
  auto parts = workbook_parts({{"Sheet1", {}}});
  parts["xl/worksheets/sheet0.xml"] = "<worksheet><sheetData>" + rows + "</sheetData></worksheet>";
  if (!shared.empty()) parts["xl/sharedStrings.xml"] = "<sst>" + shared + "</sst>";
  return zip_of(parts);
}

TEST(Xlsx, RowsAndColumnsStayWhereTheyAre) {
  EXPECT_EQ(table_of(with_cells(R"(<row r="2"><c r="B2"><v>7</v></c><c r="D2"><v>8</v></c></row>)"
                                R"(<row r="4"><c r="AA4"><v>9</v></c></row>)")),
            "\n,7,,8\n\n" + std::string(26, ',') + "9\n");
  EXPECT_EQ(table_of(with_cells("<row><c><v>1</v></c><c><v>2</v></c></row>")), "1,2\n");
}

TEST(Xlsx, CellsAreReadByTheirType) {
  EXPECT_EQ(table_of(with_cells(R"(<row r="1"><c r="A1" t="s"><v>1</v></c>)"
                                R"(<c r="B1" t="inlineStr"><is><t>x, y</t></is></c>)"
                                R"(<c r="C1" t="str"><v>f</v></c><c r="D1" t="b"><v>1</v></c>)"
                                R"(<c r="E1"><v>2.56E5</v></c><c r="F1"><v>0.5</v></c>)"
                                R"(<c r="G1" t="s"><v>99</v></c></row>)",
                                "<si><t>no</t></si><si><r><t>a</t></r><r><t>\"b\"</t></r>"
                                "<rPh><t>not this</t></rPh></si>")),
            "\"a\"\"b\"\"\",\"x, y\",f,True,256000,0.5,\n");
}

TEST(Xlsx, NamespacesMayHavePrefixes) {
  auto parts = workbook_parts({{"Sheet1", {}}});
  parts["xl/worksheets/sheet0.xml"] =
      "<x:worksheet><x:sheetData><x:row r=\"1\"><x:c r=\"A1\"><x:v>5</x:v></x:c></x:row>"
      "</x:sheetData></x:worksheet>";
  EXPECT_EQ(table_of(zip_of(parts)), "5\n");
}

TEST(Xlsx, SheetsThatAreWantedAreReadAlone) {
  const auto source = input::make_source("a.xlsx", workbook_of({{"one", {{"1"}}}, {"two", {}}}));
  const auto wanted = read_xlsx(source, [](std::string_view name) { return name == "two"; });
  ASSERT_TRUE(wanted);
  ASSERT_EQ(wanted->size(), 1U);
  EXPECT_EQ(wanted->front().table->path, "a.xlsx!two");
  EXPECT_EQ(read_xlsx(source, &none)->size(), 2U);
}

TEST(Xlsx, WhatIsNoWorkbookIsRefused) {
  EXPECT_THAT(table_of("PK\x03\x04 and no more"), HasSubstr("not a complete ZIP archive"));
  EXPECT_THAT(table_of(zip_of({{"a.txt", "text"}})), HasSubstr("not of a workbook"));
  auto parts = workbook_parts({{"Sheet1", {}}});
  parts.erase("xl/worksheets/sheet0.xml");
  EXPECT_THAT(table_of(zip_of(parts)), HasSubstr("sheet0.xml in it is missing"));
  const std::string whole = workbook_of({{"one", {{"1"}}}});
  EXPECT_THAT(table_of(whole.substr(0, whole.size() / 2)), HasSubstr("error E531"));
}

TEST(Xlsx, WhatUnpacksToTooMuchIsRefused) {
  auto parts = workbook_parts({{"Sheet1", {}}});
  parts["xl/worksheets/sheet0.xml"] = std::string(std::size_t{70} << 20, ' ');
  EXPECT_THAT(table_of(zip_of(parts)), HasSubstr("is too large"));
  EXPECT_THAT(table_of(with_cells(R"(<row r="99999999"><c><v>1</v></c></row>)")),
              HasSubstr("at most 1048576 rows"));
  EXPECT_THAT(table_of(with_cells(R"(<row r="1"><c r="XFD1"><v>1</v></c></row>)")),
              HasSubstr("4096 columns"));
}

}  // namespace xlsx_test
}  // namespace vgsim::vsphere::import
