#include "tools/sweep/export.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/vsphere/import/table/xlsx.hpp"
#include "tests/tools/sweep/sample_store.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace export_test {

class Export : public ::testing::Test {
 protected:
  std::string exported(const char* name) {
    const std::string file = scratch_.file(name);
    export_store(store_, header_, file);
    return file;
  }

  test::Scratch scratch_;
  StoreHeader header_ = sample_header(12);
  std::string store_ = write_sample(scratch_.file("store"), header_);
};

TEST_F(Export, CsvHasARowForEachLayoutAndForEachFailure) {
  const std::string text = test::read_file(exported("a.csv"));
  // Of 12 points one fails (6); two of the others have one layout refused (4 and 9).
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 11 + 1);
  EXPECT_TRUE(text.starts_with(
      "index,/job/batch,layout,iteration_time_s,samples_per_s,refused,rules,fingerprint,error\r\n"
      "0,0,passthrough,1,64,false,four-pcie-gpus,00ff,\r\n"
      "0,0,\"vgpu, small\",1,64,false,"));
  EXPECT_NE(text.find("\r\n4,32,\"vgpu, small\",,,true,no-room,,\r\n"), std::string::npos);
  EXPECT_NE(text.find("\r\n6,48,,,,,,,\"E431: too \"\"much\"\", at /job\"\r\n"), std::string::npos);
}

TEST_F(Export, AWorkbookHasTheRowsOfCsv) {
  const auto sheets =
      vsphere::import::read_xlsx(input::make_source("a.xlsx", test::read_file(exported("a.xlsx"))),
                                 [](std::string_view) { return true; });
  ASSERT_TRUE(sheets);
  const std::string text = sheets->front().table->text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 11 + 1);
  EXPECT_NE(text.find("\n4,32,\"vgpu, small\",,,True,no-room"), std::string::npos);
  EXPECT_NE(text.find("\"E431: too \"\"much\"\", at /job\""), std::string::npos);
}

TEST_F(Export, JsonLinesAreTheStoresWithoutChecksums) {
  std::istringstream lines(test::read_file(exported("a.jsonl")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json.at("index"), count);
    EXPECT_FALSE(json.contains("xxh3"));
  }
  EXPECT_EQ(count, 12);
}

TEST_F(Export, SqliteHasTypedColumns) {
  SQLite::Database database(exported("a.sqlite"));
  EXPECT_EQ(database.execAndGet("SELECT count(*) FROM points").getInt(), 23);
  EXPECT_EQ(database.execAndGet("SELECT value FROM sweep WHERE key = 'points'").getString(), "12");
  SQLite::Statement best(database,
                         "SELECT \"index\", \"/job/batch\", layout, min(iteration_time_s), "
                         "typeof(iteration_time_s), typeof(\"/job/batch\") FROM points");
  ASSERT_TRUE(best.executeStep());
  EXPECT_EQ(best.getColumn(1).getInt(), best.getColumn(0).getInt() * 8);
  EXPECT_EQ(best.getColumn(3).getDouble(), 1.0);
  EXPECT_EQ(best.getColumn(4).getString(), "real");
  EXPECT_EQ(best.getColumn(5).getString(), "integer");
  EXPECT_EQ(database.execAndGet("SELECT error FROM points WHERE failed = 'input'").getString(),
            "E431: too \"much\", at /job");
}

TEST_F(Export, NeverWritesOverTheStore) {
  EXPECT_THROW(export_store(store_, header_, store_), StoreError);
  EXPECT_THROW(check_export(scratch_.file("store/../store/sweep.jsonl"), store_), StoreError);
}

TEST_F(Export, WhatCannotBeWrittenIsKnownBefore) {
  EXPECT_THROW(check_export(scratch_.file("a.ods"), store_), StoreError);
  std::filesystem::create_directories(scratch_.file("folder.csv"));
  EXPECT_THROW(check_export(scratch_.file("folder.csv"), store_), StoreError);
}

}  // namespace export_test
}  // namespace vgsim::sweep
