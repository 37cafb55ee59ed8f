#include "smi_fixture.hpp"
#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::topology::testing {
namespace smi_topo_test {

using inventory::DeviceKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

SmiResult read(std::string text) { return read_with(read_smi_topo, std::move(text)); }

/// Two GPUs and a NIC, as a driver of 2023 prints them.
constexpr const char* kSmall =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV4\tPIX\t0-31\t0\t\tN/A\n"
    "GPU1\tNV4\t X \tSYS\t32-63\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \t\t\t\t\n"
    "\n"
    "Legend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n\n"
    "NIC Legend:\n\n  NIC0: mlx5_3\n\n";

TEST(SmiTopo, AMatrixNamesDevicesPathsAndAffinity) {
  EXPECT_TRUE(is_smi_topo(kSmall));
  const auto host = read(kSmall);
  ASSERT_TRUE(host);
  EXPECT_THAT(host->matrix->names, ElementsAre("GPU0", "GPU1", "NIC0"));
  EXPECT_THAT(host->matrix->cells,
              ElementsAre(ElementsAre("X", "NV4", "PIX"), ElementsAre("NV4", "X", "SYS"),
                          ElementsAre("PIX", "SYS", "X")));
  EXPECT_THAT(host->matrix->cpu_list, ElementsAre("0-31", "32-63", ""));
  EXPECT_THAT(host->matrix->numa, ElementsAre("0", "1", ""));
  EXPECT_THAT(host->matrix->nic_legend, ElementsAre(Pair("NIC0", "mlx5_3")));
  EXPECT_EQ(host->matrix->source, "smi.txt");
  ASSERT_EQ(host->unplaced.size(), 3U);
  EXPECT_EQ(value_of(host->unplaced[1].gpu->index), 1);
  EXPECT_EQ(value_of(host->unplaced[1].numa_node), 1);
  EXPECT_EQ(value_of(host->unplaced[1].cpu_list), "32-63");
  EXPECT_EQ(host->unplaced[1].cpu_list->source, "smi.txt");
  EXPECT_EQ(value_of(host->unplaced[2].ports.at(0).name), "mlx5_3");
  EXPECT_THAT(messages_of(host), IsEmpty());
}

TEST(SmiTopo, NvLinksOfAPairStayInTheMatrix) {
  const auto host = read(kSmall);
  ASSERT_TRUE(host);
  EXPECT_THAT(host->unplaced[0].gpu->nvlinks, IsEmpty());
  EXPECT_FALSE(host->unplaced[0].gpu->nvlinks_up);
}

TEST(SmiTopo, OldDriversSaySocForSysAndNameNicsThemselves) {
  const auto host = read(
      "        GPU0    GPU1    mlx4_0  CPU Affinity\n"
      "GPU0     X      PIX     SOC     0-11\n"
      "GPU1    PIX      X      PSB     0-11\n"
      "mlx4_0  SOC     PSB      X\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->matrix->cells[0][2], "SYS");
  EXPECT_EQ(host->matrix->cells[1][2], "PIX");
  EXPECT_EQ(value_of(host->unplaced[2].ports.at(0).name), "mlx4_0");
}

TEST(SmiTopo, ColumnsThatRanIntoEachOtherAreToldApart) {
  const auto host = read(
      "\t    GPU0GPU1mlx5_0\tNIC1NIC2CPU Affinity\n"
      "GPU0\t X \tNV12NODE\tSYSSYS\t0-9\n"
      "GPU1\tNV12\t X \tNODESYSPIX\t0-9\n"
      "mlx5_0\tNODE\tNODE\t X \tPIXPIX\n");
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_THAT(host->matrix->names, ElementsAre("GPU0", "GPU1", "mlx5_0", "NIC1", "NIC2"));
  EXPECT_THAT(host->matrix->cells[0], ElementsAre("X", "NV12", "NODE", "SYS", "SYS"));
  EXPECT_THAT(host->matrix->cells[1], ElementsAre("NV12", "X", "NODE", "SYS", "PIX"));
  EXPECT_THAT(host->matrix->cpu_list[1], "0-9");
}

TEST(SmiTopo, PromptsFencesAndIndentsDoNotMatter) {
  const auto host = read(
      "\xEF\xBB\xBF# Our node\n\n```\n(base) me@node1:~$ nvidia-smi topo -m\r\n"
      "> the GPUs: GPU0 and GPU1\r\n"
      "    GPU0  GPU1  CPU   Affinity\r\n\r\n"
      "    GPU0   X\xC2\xA0  NODE  0-15\r\n\r\n"
      "    GPU1  NODE   X    0-15\r\n```\nGPU0 is the first.");
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(host->matrix->cells[1][0], "NODE");
  EXPECT_EQ(host->unplaced.size(), 2U);
}

TEST(SmiTopo, AHeaderWithoutItsEmptyCellIsOne) {
  const auto host = read("GPU0\tGPU1\nGPU0\tX\tPHB\nGPU1\tPHB\tX\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->matrix->cells[0][1], "PHB");
}

TEST(SmiTopo, AMatrixMayBeATableOfMarkdown) {
  const auto host = read(
      "| | GPU0 | GPU1 | NUMA Affinity |\n|---|:---:|---|---|\n"
      "| GPU0 | X | SYS | 0 |\n| GPU1 | SYS | X | 1 |\n");
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(host->matrix->cells[0][1], "SYS");
  EXPECT_THAT(host->matrix->numa, ElementsAre("0", "1"));
}

TEST(SmiTopo, RemarksBelowTheRowsAreNoRows) {
  const auto host = read("\tGPU0\tGPU1\nGPU0\tX\tSYS\nGPU1\tSYS\tX\nGPU0 is in slot 3.\nGPU1\n");
  ASSERT_TRUE(host) << input::render(host.error());
}

TEST(SmiTopo, AContainerWithFewCpusLeavesTheAffinityOfOthersEmpty) {
  const auto host = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tNV18\t44-51\t0\t\tN/A\n"
      "GPU1\tNV18\t X \t\t1\t\tN/A\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(host->matrix->cpu_list, ElementsAre("44-51", ""));
  EXPECT_THAT(host->matrix->numa, ElementsAre("0", "1"));
}

TEST(SmiTopo, ShortListsStandBeforeTwoTabs) {
  const auto host = read(
      "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \t0-7\t\tN/A\t\tN/A\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->matrix->cpu_list[0], "0-7");
  EXPECT_EQ(host->matrix->numa[0], "N/A");
  EXPECT_FALSE(host->unplaced[0].numa_node);
}

TEST(SmiTopo, GraceHasNumaNodesOfGpuMemory) {
  const auto host = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tNV18\t0-71\t0\t\t2\n"
      "GPU1\tNV18\t X \t72-143\t1\t\t10\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(value_of(host->unplaced[1].gpu->numa_node), 10);
  EXPECT_EQ(value_of(host->unplaced[1].numa_node), 1);
}

TEST(SmiTopo, OneGpuMayHaveFallenOffNvLink) {
  const auto host = read(
      "\tGPU0\tGPU1\tGPU2\n"
      "GPU0\t X \tNV18\tNODE\n"
      "GPU1\tNV18\t X \tSYS\n"
      "GPU2\tNODE\tSYS\t X \n");
  ASSERT_TRUE(host);
  EXPECT_THAT(messages_of(host), IsEmpty());
}

TEST(SmiTopo, AListThatLostItsBeginningIsNotRead) {
  const auto host = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tPIX\t-31,64-95\t0\n"
      "GPU1\tPIX\t X \t0-31,64-95\t0\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(host->matrix->cpu_list, ElementsAre("", "0-31,64-95"));
  EXPECT_FALSE(host->unplaced[0].cpu_list);
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("2:1 W531"));
}

TEST(SmiTopo, WhatIsCutOffIsFilledFromTheOtherDirection) {
  const auto host = read(
      "\tGPU0\tGPU1\tGPU2\tNIC0\n"
      "GPU0\t X \tNV4\tSYS\tPIX\n"
      "GPU1\tNV4\t X \tNV1");
  ASSERT_TRUE(host);
  EXPECT_THAT(host->matrix->cells[1], ElementsAre("NV4", "X", "", ""));
  EXPECT_THAT(host->matrix->cells[2], ElementsAre("SYS", "", "", ""));
  EXPECT_THAT(host->matrix->cells[3], ElementsAre("PIX", "", "", ""));
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), 3U);
  EXPECT_THAT(messages_of(host),
              ElementsAre("The header names the device, but its row is missing: GPU2, NIC0",
                          "The row ends before its last cell: GPU1"));
}

TEST(SmiTopo, AFileMayEndInTheMiddleOfAWord) {
  const auto host = read("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tSYS\tPHB\nGPU1\tSYS\t X \tNO");
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(host->matrix->cells[1][2], "");
}

TEST(SmiTopo, RowsLeftOutByDotsAreMissing) {
  const auto host = read("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tSYS\tPHB\n...\nGPU2\tPHB\tSYS\t X \n");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->matrix->cells[1][2], "SYS");
  EXPECT_EQ(codes_of(host->warnings).size(), 1U);
}

TEST(SmiTopo, TwoDirectionsThatDifferAreAContradiction) {
  const auto host = read("\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU1\tSYS\t X \n");
  ASSERT_TRUE(host);
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("2:10 W532"));
  EXPECT_THAT(messages_of(host),
              ElementsAre("The matrix is not symmetric: GPU0 to GPU1 is PIX and back SYS"));
}

TEST(SmiTopo, UnknownWordsAreErrorsAtTheirPlace) {
  const auto host = read("\tGPU0\tGPU1\nGPU0\t X \tPIXX\nGPU1\tFAR\t X \n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("2:10 E534", "3:6 E534"));
  EXPECT_THAT(messages_of(host), Contains("\"FAR\" in the row of GPU1 / expected X, NV#, PIX, "
                                          "PXB, PHB, NODE or SYS"));
}

TEST(SmiTopo, ARowMustFitTheHeader) {
  EXPECT_THAT(messages_of(read("\tGPU0\tGPU1\nGPU0\t X \tPIX\tPIX\nGPU1\tPIX\t X \n")),
              ElementsAre(HasSubstr("more cells than the header has devices")));
  EXPECT_THAT(
      messages_of(read("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \t0-7\nGPU1\tPIX\t X \t0-7\n")),
      ElementsAre(HasSubstr("has 1 cells before its affinity")));
  EXPECT_THAT(messages_of(read("\tGPU0\tGPU1\nGPU0\tPIX\t X \nGPU1\t X \tPIX\n")),
              ElementsAre(HasSubstr("GPU0 has PIX in the column of GPU0"),
                          HasSubstr("GPU1 has X in the column of GPU0")));
  EXPECT_THAT(messages_of(read("\tGPU0\tGPU0\nGPU0\t X \tPIX\n")),
              ElementsAre(HasSubstr("names GPU0 twice")));
  EXPECT_THAT(messages_of(read("\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU0\t X \tPIX\n")),
              ElementsAre(HasSubstr("a second row of GPU0")));
}

TEST(SmiTopo, PeerToPeerMatricesDoNotTellHowDevicesAreJoined) {
  const char* matrix =
      " \tGPU0\tGPU1\t\n GPU0\tX\tCNS\t\n GPU1\tCNS\tX\t\n\nLegend:\n\n  X    = Self\n"
      "  OK   = Status Ok\n";
  EXPECT_TRUE(is_smi_topo(matrix));
  EXPECT_FALSE(has_path_matrix(matrix));
  const auto host = read(matrix);
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:3 E532"));
  EXPECT_THAT(messages_of(host), ElementsAre(HasSubstr("topo -p2p")));
  const char* one_gpu = "\tGPU0\nGPU0\tX\n\nLegend:\n  OK   = Status Ok\n";
  EXPECT_FALSE(has_path_matrix(one_gpu));
  EXPECT_THAT(messages_of(read("\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tPIX\tX\n")),
              ElementsAre(HasSubstr("words of topo -m and of topo -p2p")));
}

TEST(SmiTopo, BesideAMatrixOfPathsThatOfPeerToPeerIsLeftOut) {
  const auto host = read(std::string("\tGPU0\tGPU1\nGPU0\tX\tNS\nGPU1\tNS\tX\n\n") + kSmall);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(host->matrix->cells[0][1], "NV4");
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("topo -p2p")));
}

TEST(SmiTopo, MatricesThatAgreeAreOne) {
  const auto host = read(std::string(kSmall) + "\nagain:\n" + kSmall);
  ASSERT_TRUE(host);
  EXPECT_EQ(host->unplaced.size(), 3U);
}

TEST(SmiTopo, MatricesThatDisagreeAreOfTwoHosts) {
  const auto host = read(
      "\tGPU0\tGPU1\nGPU0\tX\tPIX\nGPU1\tPIX\tX\n\n\tGPU0\tGPU1\nGPU0\tX\tSYS\nGPU1\tSYS\tX\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("5:2 E537"));
  EXPECT_THAT(messages_of(host), ElementsAre(HasSubstr("GPU0 to GPU1 is PIX in that and SYS in "
                                                       "this / expected one host in one file")));
  const auto other = read(std::string(kSmall) + "\n\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n");
  EXPECT_THAT(messages_of(other), ElementsAre(HasSubstr("that has 3 devices and this 2")));
}

TEST(SmiTopo, TheMatrixOfPcieOnlyDoesNotContradictThatWithNvLinks) {
  const std::string pcie = "\tGPU0\tGPU1\nGPU0\tX\tPHB\nGPU1\tPHB\tX\n\n";
  const std::string all = "\tGPU0\tGPU1\nGPU0\tX\tNV12\nGPU1\tNV12\tX\n\n";
  for (const std::string& text : {pcie + all, all + pcie}) {
    const auto host = read(text);
    ASSERT_TRUE(host) << input::render(host.error());
    EXPECT_EQ(host->matrix->cells[0][1], "NV12");
  }
}

TEST(SmiTopo, OtherTextIsNoMatrix) {
  for (const char* text : {"", "GPU0", "GPU0 and GPU1 are joined\nGPU0 by NVLink\n",
                           "GPU 0: NVIDIA H200\n", "\tGPU0\tGPU1\n", "{\"GPU0\": 1}"}) {
    EXPECT_FALSE(is_smi_topo(text)) << text;
    const auto host = read(text);
    ASSERT_FALSE(host);
    EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
  }
}

TEST(SmiTopo, NoHostHasThousandsOfDevices) {
  std::string header;
  for (int i = 0; i < 2000; ++i) header += fmt::format("\tGPU{}", i);
  const auto host = read(header + "\nGPU0\tX\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:2 E533"));
}

TEST(SmiTopo, ThePathMatrixCanBeHadWithoutAnythingElse) {
  const auto matrix = parse_path_matrix(kSmall);
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->cells[0][1], "NV4");
  EXPECT_FALSE(parse_path_matrix("nothing"));
  EXPECT_FALSE(parse_path_matrix("\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n"));
}

TEST(SmiTopo, BytesThatAreNotTextDoNoHarm) {
  std::string text = kSmall;
  text.insert(30, std::string("\0\x1b[\xff\xfe", 5));
  (void)read(text);
  text = kSmall;
  for (std::size_t size = 0; size < text.size(); ++size) (void)read(text.substr(0, size));
}

TEST(SmiTopo, ARowOfANicThatTheHeaderLacksIsTold) {
  const auto host = read(
      "\tGPU0\tGPU1\tCPU Affinity\n"
      "GPU0\t X \tPIX\t0-7\n"
      "GPU1\tPIX\t X \t0-7\n"
      "mlx5_0\tPIX\tPIX\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(messages_of(host), ElementsAre(HasSubstr("the header does not name")));
}

}  // namespace smi_topo_test
}  // namespace vgsim::topology::testing
