#include "models/vsphere/import/table/workbook.hpp"

#include <gmock/gmock.h>

#include "tests/models/vsphere/import/facts_fixture.hpp"
#include "tests/models/vsphere/import/table/xlsx_fixture.hpp"

namespace vgsim::vsphere::import {
namespace workbook_test {

using testing::Reading;
using testing::SheetRows;
using testing::shown;
using testing::workbook_of;

const SheetRows kHosts = {{"Host", "CPU Model", "# CPU", "# Cores", "# Memory"},
                          {"esx01", "Xeon 8480+", "2", "112", "2096767"}};
const SheetRows kVms = {{"VM", "Powerstate", "CPUs", "Memory", "Host"},
                        {"train01", "poweredOn", "64", "524288", "esx01"}};

Reading read(const std::vector<std::pair<std::string, SheetRows>>& sheets) {
  return testing::read_source(read_workbook, input::make_source("lab.xlsx", workbook_of(sheets)));
}

TEST(Workbook, SheetsOfRvToolsAreReadAsItsTabs) {
  const Reading reading = read({{"vInfo", kVms}, {"vCPU", {{"VM", "CPUs"}}}, {"vHost", kHosts}});
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(shown(reading.host().name), "esx01");
  EXPECT_EQ(shown(reading.host().cores), "112");
  EXPECT_EQ(reading.host().cores->source, "lab.xlsx!vHost");
  EXPECT_EQ(shown(reading.vm().name), "train01");
  EXPECT_EQ(shown(reading.vm().vcpus), "64");
}

TEST(Workbook, SheetsMayHaveOtherNames) {
  const Reading reading = read({{"Notes", {{"what we have"}}}, {"Tabelle2", kHosts}});
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(reading.facts.hosts.size(), 1U);
  EXPECT_TRUE(reading.says("lab.xlsx!Notes"));
}

TEST(Workbook, AnErrorNamesSheetRowAndColumn) {
  SheetRows bad = kHosts;
  bad[1][3] = "many";
  const Reading reading = read({{"vHost", bad}});
  EXPECT_FALSE(reading.ok);
  EXPECT_TRUE(reading.says("lab.xlsx!vHost:2:"));
  EXPECT_TRUE(reading.says("cores is \"many\""));
}

TEST(Workbook, AWorkbookOfSomethingElseIsRefused) {
  const Reading reading = read({{"Budget", {{"Year", "Sum"}, {"2024", "3"}}}});
  EXPECT_FALSE(reading.ok);
  EXPECT_TRUE(reading.says("no sheet of the workbook"));
}

}  // namespace workbook_test
}  // namespace vgsim::vsphere::import
