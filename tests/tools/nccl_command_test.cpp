#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace nccl_command_test {

using nlohmann::json;
using ::testing::HasSubstr;

std::string gpu_xml(int number, const std::string& nvlink) {
  const std::string n = std::to_string(number);
  return "<pci busid=\"0000:0" + n +
         ":00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20f1\" "
         "subsystem_vendor=\"0x10de\" "
         "subsystem_device=\"0x145f\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"" +
         n + "\" sm=\"80\" rank=\"" + n + "\" gdr=\"1\">" + nvlink + "</gpu></pci>";
}

std::string bridge_to(int number) {
  return "<nvlink target=\"0000:0" + std::to_string(number) +
         ":00.0\" count=\"12\" tclass=\"0x030200\"/>";
}

/// A VM with a flat PCIe tree on an Intel host: two bridged pairs of A100 and a 100 Gbit/s NIC.
std::string flat_vm() {
  return "<system version=\"1\"><cpu numaid=\"0\" affinity=\"ffff\" arch=\"x86_64\" "
         "vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"106\">" +
         gpu_xml(0, bridge_to(1)) + gpu_xml(1, bridge_to(0)) + gpu_xml(2, bridge_to(3)) +
         gpu_xml(3, bridge_to(2)) +
         "<pci busid=\"0000:0b:00.0\" class=\"0x020000\" vendor=\"0x15b3\" device=\"0x101d\" "
         "subsystem_vendor=\"0x15b3\" subsystem_device=\"0x0001\" link_speed=\"16.0 GT/s PCIe\" "
         "link_width=\"16\"><nic><net name=\"mlx5_0\" dev=\"0\" speed=\"100000\" port=\"1\" "
         "guid=\"0x1\" maxconn=\"131072\" gdr=\"1\"/></nic></pci></cpu></system>\n";
}

class NcclCommand : public ::testing::Test {
 protected:
  NcclCommand() : vm_(scratch_.write("vm.xml", flat_vm())) {}

  test::Ran nccl(const std::string& arguments) {
    return test::run_program(scratch_, "nccl " + vm_ + " " + arguments);
  }
  json json_of(const std::string& arguments) {
    const test::Ran ran = nccl("--format json " + arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return json::parse(ran.out);
  }

  const test::Scratch scratch_;
  const std::string vm_;
};

TEST_F(NcclCommand, ShowsPathsBetweenGpusAndChoices) {
  const test::Ran ran = nccl("--hosts 2");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* words :
       {"8 GPUs", "2 NCCL nodes", "NVL     240 GB/s  P2P  0-1, 2-3", "SHM", "rings, by channel",
        "trees, by channel", "AllReduce", "next best", "nccl-host-memory", "nccl-no-gpudirect"}) {
    EXPECT_THAT(ran.out, HasSubstr(words));
  }
}

TEST_F(NcclCommand, JsonHasTheNamesOfNccl) {
  const json result = json_of("--hosts 2");
  EXPECT_EQ(result["schema"], "vgsim.nccl/1");
  EXPECT_EQ(result["nccl"], "2.32.3");
  EXPECT_EQ(result["nNodes"], 2);
  EXPECT_EQ(result["gpusPerNode"], 4);
  EXPECT_EQ(result["gpuPaths"][0][1][0], "NVL");
  EXPECT_EQ(result["gpuPaths"][0][2][0], "PHB");
  EXPECT_EQ(result["transports"][0][2], "SHM");
  EXPECT_EQ(result["gpuDirect"][0][0], json::parse("[false, false]"));
  EXPECT_EQ(result["rings"].size(), result["nChannels"]);
  EXPECT_EQ(result["rings"][0].size(), 8U);
  EXPECT_EQ(result["treesUp"][0].size(), 8U);
  ASSERT_EQ(result["allreduce"].size(), 33U);
  for (const json& call : result["allreduce"]) {
    EXPECT_LE(call["best_us"], call["runnerUp_us"]);
    EXPECT_EQ(call["time_us"][call["choice"].get<std::string>()], call["best_us"]);
  }
}

TEST_F(NcclCommand, TwoBridgedGpusWouldBeTwelveTimesFasterThanTwoPairs) {
  // The ring of four crosses the root complex, at 24 GB/s less the fifth of Intel's root
  // complexes.
  EXPECT_EQ(json_of("")["search"]["ring"]["bwIntra"], 20);
}

TEST_F(NcclCommand, TheEnvironmentAndTheVersionCount) {
  const json rings = json_of("--env NCCL_ALGO=Ring --env NCCL_PROTO=Simple --sizes '8 B'");
  EXPECT_EQ(rings["allreduce"][0]["choice"], "ring/Simple");
  EXPECT_TRUE(rings["allreduce"][0]["runnerUp"].is_null());
  const json none = json_of("--env NCCL_ALGO=Tree --sizes '8 B'");
  EXPECT_TRUE(none["broadcast"][0]["choice"].is_null());
  const json old = json_of("--nccl-version 2.15.1");
  EXPECT_EQ(old["nccl"], "2.15.1");
  EXPECT_EQ(old["constantsOf"], "2.14.3");
}

TEST_F(NcclCommand, BadInputIsReportedAtOnce) {
  const test::Ran ran = nccl(
      "--hosts 0 --nccl-version 2.40 --env NCCL_ALGO=rong --env NCCL --env NCCL_TOPO_FILE=x "
      "--sizes 8");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  for (const char* words :
       {"--hosts \"0\"", "from 2.10 to 2.32", "did you mean \"ring\"?", "expected NAME=VALUE",
        "NCCL_TOPO_FILE: it changes nothing", "--sizes \"8\""}) {
    EXPECT_THAT(ran.err, HasSubstr(words));
  }
  EXPECT_EQ(test::run_program(scratch_, "nccl").exit_code, 2);
  EXPECT_EQ(test::run_program(scratch_, "nccl missing.xml").exit_code, 2);
  const std::string broken = scratch_.write("broken.xml", "<system version=\"1\"><cpu");
  const test::Ran cut = test::run_program(scratch_, "nccl " + broken);
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("broken.xml:1:"));
}

TEST_F(NcclCommand, ATemplateWithoutGpusIsRefused) {
  std::string text = flat_vm();
  for (std::size_t at = 0; (at = text.find("<gpu")) != text.npos;) {
    text.erase(at, text.find("</gpu>") + 6 - at);
  }
  const test::Ran ran = test::run_program(scratch_, "nccl " + scratch_.write("template.xml", text));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("E521"));
}

TEST_F(NcclCommand, NvlinksThatOnlyOneGpuListsAreRefused) {
  std::string text = flat_vm();
  const std::string link = bridge_to(0);
  text.erase(text.find(link), link.size());
  const test::Ran ran = test::run_program(scratch_, "nccl " + scratch_.write("half.xml", text));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("NVLinks of GPU 0"));
}

TEST_F(NcclCommand, SeveralHostsNeedANic) {
  std::string text = flat_vm();
  const std::size_t from = text.find("<pci busid=\"0000:0b");
  text.erase(from, text.find("</cpu>") - from);
  const std::string alone = scratch_.write("alone.xml", text);
  EXPECT_EQ(test::run_program(scratch_, "nccl " + alone).exit_code, 0);
  const test::Ran ran = test::run_program(scratch_, "nccl --hosts 2 " + alone);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("network"));
}

}  // namespace nccl_command_test
}  // namespace vgsim
