#include "smi_fixture.hpp"
#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::topology::testing {
namespace smi_vgpu_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// As ESXi prints it: VM ID, no MDEV UUID. One GPU has two MIG-backed vGPUs, one none.
constexpr const char* kEsxi =
    "[root@esx01:~] nvidia-smi vgpu -q\n"
    "GPU 00000000:3B:00.0\n"
    "    Active vGPUs                          : 2\n"
    "    vGPU ID                               : 2100501234\n"
    "        VM ID                             : 2100498\n"
    "        VM Name                           : train 01\n"
    "        vGPU Name                         : GRID A100D-3-40C\n"
    "        vGPU Type                         : 700\n"
    "        Guest Driver Version              : 535.161.08\n"
    "        License Status                    : Licensed (Expiry: 2030-1-1 0:0:0 GMT)\n"
    "        PCI\n"
    "            Bus Id                        : 00000000:02:01.0\n"
    "        FB Memory Usage\n"
    "            Total                         : 40960 MiB\n"
    "            Used                          : 1024 MiB\n"
    "    vGPU ID                               : 2100501240\n"
    "        VM UUID                           : 10a12241-1e83-4b70-bc59-a33d7c6d063c\n"
    "        VM Name                           : \n"
    "        vGPU Name                         : NVIDIA A100D-1-10CME\n"
    "\n"
    "GPU 00000000:86:00.0\n"
    "    Active vGPUs                          : 0\n";

constexpr const char* kTable =
    "Sun Jun 11 22:41:38 2023\n"
    "+-----------------------------------------------------------------------------+\n"
    "| NVIDIA-SMI 510.85.03              Driver Version: 510.85.03                 |\n"
    "|---------------------------------+------------------------------+------------+\n"
    "| GPU  Name                       | Bus-Id                       | GPU-Util   |\n"
    "|      vGPU ID     Name           | VM ID     VM Name            | vGPU-Util  |\n"
    "|=================================+==============================+============|\n"
    "|   0  NVIDIA A100-SXM4-80GB      | 00000000:3B:00.0             |   0%       |\n"
    "|      2100501234  GRID A100D-40C | 2100...  train-01            |      0%    |\n"
    "|      2100501240  NVIDIA A10...  | 10a1...  train-02            |      0%    |\n"
    "|      2100501250  GRID A100D-4C  | 10a1...  a-very-long-nam...  |      0%    |\n"
    "+---------------------------------+------------------------------+------------+\n"
    "|   1  NVIDIA A100-SXM4-8...      | 00000000:86:00.0             |   0%       |\n"
    "+---------------------------------+------------------------------+------------+\n";

TEST(SmiVgpu, ATypeIsCalledAsEsxiCallsIt) {
  EXPECT_EQ(vgpu_profile_of("GRID A100D-80C"), "grid_a100d-80c");
  EXPECT_EQ(vgpu_profile_of("NVIDIA H100XM-80C"), "nvidia_h100xm-80c");
  EXPECT_EQ(vgpu_profile_of(" NVIDIA RTX Pro 6000 Blackwell DC-1-12Q "),
            "nvidia_rtx_pro_6000_blackwell_dc-1-12q");
}

TEST(SmiVgpu, EachVgpuHasItsTypeAndItsVm) {
  EXPECT_TRUE(is_smi_vgpu(kEsxi));
  EXPECT_FALSE(is_smi_query_text(kEsxi));
  const auto host = read_with(read_smi_vgpu, kEsxi);
  ASSERT_TRUE(host) << input::render(host.error());
  ASSERT_EQ(host->unplaced.size(), 2U);
  EXPECT_EQ(host->unplaced[0].bus_id, "0000:3b:00.0");
  EXPECT_THAT(vgpus_of(*host->unplaced[0].gpu),
              ElementsAre("grid_a100d-3-40c for train 01",
                          "nvidia_a100d-1-10cme for 10a12241-1e83-4b70-bc59-a33d7c6d063c"));
  EXPECT_THAT(host->unplaced[1].gpu->vgpus, IsEmpty());
  EXPECT_FALSE(host->unplaced[0].gpu->index);
  EXPECT_THAT(messages_of(host), IsEmpty());
}

TEST(SmiVgpu, AnotherNumberThanActiveIsAContradiction) {
  const auto host = read_with(read_smi_vgpu,
                              "GPU 00000000:3B:00.0\n    Active vGPUs : 2\n    vGPU ID : 1\n"
                              "        vGPU Name : N/A\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("1:5 W531", "1:5 W532"));
  EXPECT_THAT(messages_of(host),
              ElementsAre("A vGPU without a name is not read: 0000:3b:00.0",
                          "The listed vGPUs differ from the count of the GPU: 0000:3b:00.0 (1 of "
                          "2)"));
}

TEST(SmiVgpu, ATextWithoutAGpuTellsNothing) {
  EXPECT_FALSE(is_smi_vgpu("Active vGPUs : 2\n"));
  const auto host = read_with(read_smi_vgpu, "No supported devices in vGPU mode\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
}

TEST(SmiVgpu, TheTableTellsWhatItDoesNotCutShort) {
  EXPECT_TRUE(is_smi_table(kTable));
  const auto host = read_with(read_smi_table, kTable);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(value_of(host->driver), "510.85.03");
  ASSERT_EQ(host->unplaced.size(), 2U);
  EXPECT_EQ(value_of(host->unplaced[0].name), "NVIDIA A100-SXM4-80GB");
  EXPECT_THAT(vgpus_of(*host->unplaced[0].gpu),
              ElementsAre("grid_a100d-40c for train-01", "grid_a100d-4c"));
  EXPECT_EQ(host->unplaced[1].bus_id, "0000:86:00.0");
  EXPECT_EQ(value_of(host->unplaced[1].gpu->index), 1);
  EXPECT_FALSE(host->unplaced[1].name);
  EXPECT_THAT(host->skipped,
              ElementsAre("A vGPU whose type the table cuts short is not read: 2100501240",
                          "The VM of a vGPU is truncated: 2100501250"));
}

TEST(SmiVgpu, XmlMayListVgpusUnderTheirGpu) {
  const auto host =
      read_with(read_smi_query_xml,
                "<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu id=\"00000000:3B:00.0\">"
                "<active_vgpus>1</active_vgpus><vgpus><vgpu><vgpu_name>GRID A100D-80C</vgpu_name>"
                "<vm_name>train-01</vm_name></vgpu></vgpus></gpu></nvidia_smi_log>");
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_THAT(vgpus_of(*host->unplaced.at(0).gpu), ElementsAre("grid_a100d-80c for train-01"));
}

TEST(SmiTable, ADefaultTableTellsMemoryAndMigMode) {
  const auto host = read_with(
      read_smi_table,
      "+-----------------------------------------------------------------------------------+\n"
      "| NVIDIA-SMI 590.48.01         Driver Version: 590.48.01      CUDA Version: 13.1    |\n"
      "+------------------------------------+------------------------+---------------------+\n"
      "| GPU  Name            Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC|\n"
      "|   0  NVIDIA H100 80GB HBM3      On |   00000000:00:09.0 Off |                   On|\n"
      "| N/A   42C    P0        98W /  700W |      59MiB /  81559MiB |     N/A      Default|\n"
      "|                                    |                        |              Enabled|\n"
      "+------------------------------------+------------------------+---------------------+\n"
      "| MIG devices:                                                                      |\n"
      "|  0    2   0   0  |              26MiB / 40448MiB    | 60      0 |  3   0    3    0 |\n");
  ASSERT_TRUE(host) << input::render(host.error());
  ASSERT_EQ(host->unplaced.size(), 1U);
  EXPECT_EQ(value_of(host->unplaced[0].name), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(value_of(host->unplaced[0].gpu->memory).count(), 81559LL << 20);
  EXPECT_TRUE(value_of(host->unplaced[0].gpu->mig));
}

TEST(SmiTable, ATextWithoutATableTellsNothing) {
  EXPECT_FALSE(is_smi_table("| a | b | c |\n"));
  const auto host = read_with(read_smi_table, "NVIDIA-SMI has failed because\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
}

}  // namespace smi_vgpu_test
}  // namespace vgsim::topology::testing
