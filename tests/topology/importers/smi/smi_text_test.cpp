#include "topology/importers/smi/smi_text.hpp"

#include "smi_fixture.hpp"

namespace vgsim::topology::testing {
namespace smi_text_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Commands one after the other, on a host with two GPUs.
const std::string kList =
    "$ nvidia-smi -L\nGPU 0: NVIDIA H200 (UUID: GPU-aa11)\nGPU 1: NVIDIA H200 (UUID: GPU-bb22)\n";
const std::string kQuery =
    "$ nvidia-smi -q\n\nAttached GPUs : 2\n"
    "GPU 00000000:83:00.0\n    GPU UUID : GPU-aa11\n    Platform Info\n        Module Id : 6\n"
    "GPU 00000000:84:00.0\n    GPU UUID : GPU-bb22\n    Platform Info\n        Module Id : 8\n";
const std::string kTopo =
    "$ nvidia-smi topo -m\n\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV18\tPIX\t0-23\t0\nGPU1\tNV18\t X \tSYS\t24-47\t1\nNIC0\tPIX\tSYS\t X\n";
const std::string kNvlink =
    "$ nvidia-smi nvlink -R\nGPU 1: NVIDIA H200 (UUID: GPU-bb22)\n"
    "\t Link 0: Remote Device 00000000:C5:00.0: Link 46\n";
const std::string kVgpu =
    "$ nvidia-smi vgpu -q\nGPU 00000000:84:00.0\n    Active vGPUs : 1\n    vGPU ID : 5\n"
    "        VM Name : vm1\n        vGPU Name : NVIDIA H200X-141C\n";
const std::string kCsv =
    "$ nvidia-smi --query-gpu\nuuid, compute_cap\nGPU-bb22, 9.0\nGPU-aa11, 9.0\n";

void expect_whole(const SmiResult& host) {
  ASSERT_TRUE(host) << input::render(host.error());
  ASSERT_EQ(host->unplaced.size(), 3U);
  const auto found = std::find_if(host->unplaced.begin(), host->unplaced.end(),
                                  [](auto& device) { return device.bus_id == "0000:84:00.0"; });
  ASSERT_NE(found, host->unplaced.end());
  EXPECT_EQ(value_of(found->gpu->index), 1);
  EXPECT_EQ(value_of(found->gpu->uuid), "GPU-bb22");
  EXPECT_EQ(value_of(found->gpu->module_id), 8);
  EXPECT_EQ(value_of(found->gpu->sm), 90);
  EXPECT_EQ(value_of(found->name), "NVIDIA H200");
  EXPECT_EQ(value_of(found->numa_node), 1);
  EXPECT_EQ(value_of(found->cpu_list), "24-47");
  EXPECT_THAT(peers_of(*found->gpu), ElementsAre("0000:c5:00.0 x1"));
  EXPECT_THAT(vgpus_of(*found->gpu), ElementsAre("nvidia_h200x-141c for vm1"));
  EXPECT_EQ(count_of(*host, inventory::DeviceKind::kNic), 1U);
  EXPECT_EQ(host->matrix->cells[0][1], "NV18");
  EXPECT_THAT(messages_of(host), IsEmpty());
}

TEST(SmiText, CommandsOfOneHostAreJoinedByBusIdNumberAndUuid) {
  const std::string text = kList + kTopo + kNvlink + kQuery + kVgpu + kCsv;
  EXPECT_TRUE(is_smi_text(text));
  expect_whole(read_with(read_smi_text, text));
}

TEST(SmiText, TheOrderOfCommandsDoesNotMatter) {
  expect_whole(read_with(read_smi_text, kVgpu + kCsv + kTopo + kQuery + kNvlink + kList));
}

TEST(SmiText, EachCommandAloneIsEnough) {
  for (const std::string& text : {kList, kQuery, kTopo, kNvlink, kVgpu, kCsv}) {
    EXPECT_TRUE(is_smi_text(text)) << text;
    EXPECT_TRUE(read_with(read_smi_text, text)) << text;
  }
}

TEST(SmiText, PeerToPeerAloneIsRefusedAndBesideOthersLeftOut) {
  const std::string p2p = "\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n";
  EXPECT_TRUE(is_smi_text(p2p));
  EXPECT_THAT(messages_of(read_with(read_smi_text, p2p)), ElementsAre(HasSubstr("topo -p2p")));
  const auto host = read_with(read_smi_text, kList + p2p);
  ASSERT_TRUE(host);
  EXPECT_FALSE(host->matrix);
  EXPECT_THAT(host->skipped, Contains(HasSubstr("topo -p2p")));
}

TEST(SmiText, CommandsOfTwoHostsAreRefused) {
  const auto host =
      read_with(read_smi_text, kQuery + "GPU 0: NVIDIA H200 (UUID: GPU-of-another-host)\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("12:27 E537"));
}

TEST(SmiText, WhatTwoCommandsTellDifferentlyIsAContradiction) {
  const auto host =
      read_with(read_smi_text,
                kList + "index, name, uuid\n0, NVIDIA H100, GPU-aa11\n1, NVIDIA H200, GPU-bb22\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(value_of(host->unplaced[0].name), "NVIDIA H100");
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("5:17 W532"));
  EXPECT_THAT(
      messages_of(host),
      ElementsAre(
          "Two places state different values of the product name; the first is used: GPU0"));
}

TEST(SmiText, AnAssumedNumberJoinsNothing) {
  const auto host = read_with(read_smi_text,
                              "<nvidia_smi_log><gpu id=\"00000000:84:00.0\"><uuid>GPU-bb22</uuid>"
                              "</gpu></nvidia_smi_log>\n" +
                                  kList);
  ASSERT_TRUE(host) << input::render(host.error());
  ASSERT_EQ(host->unplaced.size(), 2U);
  EXPECT_EQ(host->unplaced[0].bus_id, "0000:84:00.0");
  EXPECT_EQ(value_of(host->unplaced[0].gpu->index), 1);
  EXPECT_EQ(host->unplaced[0].gpu->index->source, "smi.txt");
}

TEST(SmiText, AnErrorOfOnePartIsAnErrorOfAll) {
  const auto host = read_with(read_smi_text, kList + "\tGPU0\tGPU1\nGPU0\tX\tFAR\nGPU1\tPIX\tX\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("5:8 E534"));
}

TEST(SmiText, OtherTextIsNone) {
  for (const char* text : {"", "hello", "NVIDIA-SMI has failed\n", "<topology/>", "{}"}) {
    EXPECT_FALSE(is_smi_text(text)) << text;
    const auto host = read_with(read_smi_text, text);
    ASSERT_FALSE(host);
    EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
  }
}

TEST(SmiText, CutAndMixedRecordingsDoNoHarm) {
  const std::string text = kList + kTopo + kNvlink + kQuery + kVgpu + kCsv;
  for (std::size_t size = 0; size < text.size(); size += 3) {
    (void)read_with(read_smi_text, text.substr(0, size));
    (void)read_with(read_smi_text, text.substr(size));
    std::string flipped = text;
    flipped[size] = static_cast<char>(flipped[size] ^ 0x5A);
    (void)read_with(read_smi_text, flipped);
  }
}

}  // namespace smi_text_test
}  // namespace vgsim::topology::testing
