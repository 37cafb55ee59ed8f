#include "tools/tables/table_file.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "models/scenario/answer/figures.hpp"
#include "models/vsphere/import/table/xlsx.hpp"
#include "tests/tools/program.hpp"
#include "tools/tables/result_table.hpp"
#include "topology/input/zip_file.hpp"

namespace vgsim::tables {
namespace table_file_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Table sample() {
  Table table{{"name", "value", "good"}, {}};
  for (int i = 0; i < 30; ++i) table.columns.push_back("c" + std::to_string(i));
  table.rows.push_back({"a, <b> & \"c\"", 0.1, true});
  table.rows.push_back({Cell(), 1e-7});
  table.rows.push_back({});
  table.rows.back().resize(33);
  table.rows.back().back() = 5.0;
  return table;
}

/// The table of a workbook, as its reader gives it back.
std::string read_back(const std::string& bytes) {
  const auto sheets = vsphere::import::read_xlsx(input::make_source("a.xlsx", bytes),
                                                 [](std::string_view) { return true; });
  return sheets ? sheets->front().table->text : input::render(sheets.error());
}

TEST(TableFile, KindsAreToldByTheEnding) {
  EXPECT_EQ(table_kind("a/b.csv"), TableKind::kCsv);
  EXPECT_EQ(table_kind("b.xlsx"), TableKind::kXlsx);
  EXPECT_EQ(table_kind("b.json"), std::nullopt);
}

TEST(TableFile, CsvQuotesWhatItMust) {
  EXPECT_THAT(table_bytes(sample(), TableKind::kCsv),
              HasSubstr("\r\n\"a, <b> & \"\"c\"\"\",0.1,true\r\n,1e-07\r\n"));
}

TEST(TableFile, ATextThatBeginsAFormulaIsNone) {
  Table table{{"=1+1", "plain"}, {}};
  table.rows.push_back({"=cmd|' /C calc'!A0", "@SUM(A1)"});
  table.rows.push_back({"-2+3", "+49 30 1"});
  table.rows.push_back({-2.5, "-2.5"});
  table.rows.push_back({"a=b", "\tx"});
  EXPECT_EQ(table_bytes(table, TableKind::kCsv),
            "'=1+1,plain\r\n'=cmd|' /C calc'!A0,'@SUM(A1)\r\n'-2+3,'+49 30 1\r\n-2.5,-2.5\r\na=b,'"
            "\tx\r\n");
}

/// A part of a workbook.
std::string part_of(const std::string& bytes, const std::string& name) {
  return input::ZipReader(bytes).read(name, 1'000'000).value_or("");
}

TEST(TableFile, AWorkbookHasWidthsUnitsAndItsOrigin) {
  Table table = figure_table({"layout"}, {{{"a layout with a name of 40 characters .."}, {}}});
  table.columns.insert(table.columns.end(), {"iteration_time_s", "scaling_efficiency", "rank"});
  table.rows[0].insert(table.rows[0].end(), {0.25, 0.41, 3.0});
  table.formats = figure_formats(table.columns);
  table.about = {{"program", "vgsim 9.9"}, {"date", "2026-01-02"}};
  const std::string bytes = table_bytes(table, TableKind::kXlsx);
  const std::string sheet = part_of(bytes, "xl/worksheets/sheet1.xml");
  EXPECT_THAT(sheet, HasSubstr("<col min=\"1\" max=\"1\" width=\"42\""));
  EXPECT_THAT(sheet,
              HasSubstr("<c r=\"B2\" s=\"2\"><v>0.25</v></c><c r=\"C2\" s=\"3\"><v>0.41</v></c>"
                        "<c r=\"D2\"><v>3</v></c>"));
  EXPECT_THAT(part_of(bytes, "xl/styles.xml"), HasSubstr("formatCode=\"0.0%\""));
  EXPECT_THAT(part_of(bytes, "xl/styles.xml"), HasSubstr("&quot; s&quot;"));
  EXPECT_THAT(part_of(bytes, "xl/worksheets/sheet2.xml"), HasSubstr("vgsim 9.9"));
  EXPECT_THAT(part_of(bytes, "xl/worksheets/sheet2.xml"), HasSubstr("2026-01-02"));
}

TEST(TableFile, EveryFigureHasAFormat) {
  for (const ColumnFormat& format : figure_formats(scenario::metric_names())) {
    EXPECT_NE(format.number, "");
  }
}

TEST(TableFile, AWorkbookHoldsTheSameCells) {
  const std::string bytes = table_bytes(sample(), TableKind::kXlsx);
  EXPECT_EQ(bytes, table_bytes(sample(), TableKind::kXlsx));
  const std::string text = read_back(bytes);
  EXPECT_THAT(text, StartsWith("name,value,good,c0,"));
  EXPECT_THAT(text, HasSubstr("\n\"a, <b> & \"\"c\"\"\",0.1,True\n,1e-07\n"));
  EXPECT_THAT(text, HasSubstr("\n" + std::string(32, ',') + "5\n"));
}

TEST(TableFile, RunAndCompareWriteTables) {
  const test::Scratch scratch;
  const std::string scenario = scratch.write("s.json", R"({ "name": "two",
    "hosts": { "h": { "server": "dell-r750xa" } },
    "job": { "network": "bert-large", "batch_per_gpu": 8 },
    "layouts": { "whole": {}, "more": { "job": { "batch_per_gpu": 16 } } } })");
  const std::string csv = scratch.file("table.csv");
  const test::Ran run = test::run_program(scratch, "run --draws 0 " + scenario + " -o " + csv);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(test::read_file(csv), StartsWith("layout,refused,"));
  EXPECT_THAT(test::read_file(csv), HasSubstr("\r\nmore,false,"));
  const std::string workbook = scratch.file("table.xlsx");
  const test::Ran compare =
      test::run_program(scratch, "compare --draws 0 " + scenario + " -o " + workbook);
  ASSERT_EQ(compare.exit_code, 0) << compare.err;
  EXPECT_THAT(read_back(test::read_file(workbook)), HasSubstr("iteration_time_s"));
  EXPECT_THAT(part_of(test::read_file(workbook), "xl/worksheets/sheet2.xml"), HasSubstr("s.json"));
  const std::string json = scratch.file("base.json");
  for (const char* command : {"run --draws 0 ", "compare --draws 0 ", "place ", "explain "}) {
    EXPECT_LE(test::run_program(scratch, command + scenario + " -o " + json).exit_code, 1)
        << command;
    EXPECT_TRUE(nlohmann::json::accept(test::read_file(json))) << command;
  }
}

}  // namespace table_file_test
}  // namespace vgsim::tables
