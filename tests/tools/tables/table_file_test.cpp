#include "tools/tables/table_file.hpp"

#include <gmock/gmock.h>

#include "models/vsphere/import/table/xlsx.hpp"
#include "tests/tools/program.hpp"

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
}

}  // namespace table_file_test
}  // namespace vgsim::tables
