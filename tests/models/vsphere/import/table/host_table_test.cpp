#include "models/vsphere/import/table/host_table.hpp"

#include <gmock/gmock.h>

namespace vgsim::vsphere::import {
namespace host_table_test {

using ::testing::HasSubstr;

auto read(const std::string& text) {
  return read_host_table(input::make_source("hosts.csv", text));
}

TEST(HostTable, ALineIsAHostOrSeveral) {
  const std::string text =
      "Cluster;Host;Count;Server;GPUs;NICs;Rack\n"
      "gpu;esx;16;PowerEdge XE9680;8 x h100-sxm;8 x connectx-7-400g;7\n"
      "\n"
      "cpu;lab[1-2];;dell-r750xa;4;;\n";
  ASSERT_TRUE(is_host_table(text));
  const auto table = read(text);
  ASSERT_TRUE(table) << input::render(table.error());
  ASSERT_EQ(table->hosts.size(), 2U);
  const PlannedHosts& first = table->hosts[0];
  EXPECT_EQ(first.names, "esx[01-16]");
  EXPECT_EQ(first.count, 16U);
  EXPECT_EQ(first.server.text, "PowerEdge XE9680");
  EXPECT_EQ(first.gpu_count, 8U);
  EXPECT_EQ(first.gpu.text, "h100-sxm");
  EXPECT_EQ(first.nic.text, "connectx-7-400g");
  EXPECT_EQ(first.cluster, "gpu");
  EXPECT_EQ(table->hosts[1].count, 2U);
  EXPECT_EQ(table->hosts[1].gpu_count, 4U);
  EXPECT_EQ(table->hosts[1].gpu.text, "");
  EXPECT_THAT(table->skipped, ::testing::ElementsAre(HasSubstr("Rack")));
}

TEST(HostTable, EachErrorNamesItsLineAndColumn) {
  const auto table = read(
      "host,server,count,gpus\n"
      "esx1,dell-xe9680,none,8 x h100-sxm\n"
      "esx1,,1,many of them\n"
      ",dell-xe9680,1,\n");
  ASSERT_FALSE(table);
  const std::string errors = input::render(table.error());
  EXPECT_THAT(errors, HasSubstr("hosts.csv:2:18: error E534: count is \"none\""));
  EXPECT_THAT(errors, HasSubstr("hosts.csv:3:1: error E534: the column server is empty"));
  EXPECT_THAT(errors, HasSubstr("the host esx1 is listed twice"));
  EXPECT_THAT(errors, HasSubstr("gpus is \"many of them\""));
  EXPECT_THAT(errors, HasSubstr("hosts.csv:4:1: error E534: the column host is empty"));
}

TEST(HostTable, OtherTablesAreNotTakenForOne) {
  EXPECT_FALSE(is_host_table("name,uuid,memory\n"));
  EXPECT_FALSE(is_host_table(""));
  EXPECT_FALSE(read("host,server\n"));
}

}  // namespace host_table_test
}  // namespace vgsim::vsphere::import
