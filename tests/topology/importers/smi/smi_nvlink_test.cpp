#include "smi_fixture.hpp"
#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::topology::testing {
namespace smi_nvlink_test {

using namespace vgsim::literals;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SmiResult read(std::string text) { return read_with(read_smi_nvlink, std::move(text)); }

const inventory::Gpu& gpu(const SmiResult& host, std::size_t i) {
  return *host->unplaced.at(i).gpu;
}

TEST(SmiNvlink, ListTellsNumberNameAndUuid) {
  const char* text =
      "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-aa11)\nGPU 1: NVIDIA A100 (rev) (UUID: GPU-bb22)\n";
  EXPECT_TRUE(is_smi_list(text));
  const auto host = read(text);
  ASSERT_TRUE(host);
  ASSERT_EQ(host->unplaced.size(), 2U);
  EXPECT_EQ(value_of(host->unplaced[1].name), "NVIDIA A100 (rev)");
  EXPECT_EQ(value_of(gpu(host, 1).uuid), "GPU-bb22");
  EXPECT_EQ(value_of(gpu(host, 1).index), 1);
  EXPECT_FALSE(gpu(host, 1).nvlinks_up);
}

TEST(SmiNvlink, StatusCountsTheLinksThatAreUp) {
  const char* text =
      "GPU 0: NVIDIA H200 (UUID: GPU-aa11)\n"
      "\t Link 0: 26.562 GB/s\n\t Link 1: 26.562 GB/s\n\t Link 2: <inactive>\n";
  const auto host = read(text);
  ASSERT_TRUE(host);
  EXPECT_EQ(value_of(gpu(host, 0).nvlinks_up), 2);
  EXPECT_THAT(gpu(host, 0).nvlinks, IsEmpty());
  EXPECT_THAT(host->skipped,
              ElementsAre("26.562 GB/s of an NVLink is the signalling rate: the payload rate is "
                          "unknown: GPU0",
                          "NVLinks are inactive: 1 of GPU0"));
}

TEST(SmiNvlink, RemoteCountsLinksByTheDeviceAtTheirEnd) {
  const auto host = read(
      "root@node:~# nvidia-smi nvlink -R\n"
      "GPU 3: NVIDIA H200 (UUID: GPU-aa11)\n"
      "\t Link 0: Remote Device 00000000:C5:00.0: Link 46\n"
      "\t Link 1: Remote Device 00000000:C4:00.0: Link 2\n"
      "\t Link 2: Remote Device 00000000:C5:00.0: Link 47\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(peers_of(gpu(host, 0)), ElementsAre("0000:c5:00.0 x2", "0000:c4:00.0 x1"));
  EXPECT_FALSE(gpu(host, 0).nvlinks_up);
}

TEST(SmiNvlink, AVmDoesNotSeeTheSwitches) {
  const auto host = read(
      "GPU 0: NVIDIA H200 (UUID: GPU-aa11)\n"
      "\t Link 0: Remote Device FFFFFFFF:FFFF:FF.0: Link 1\n\t Link 1: FFFFFFFF:FF:FF.0\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(peers_of(gpu(host, 0)), ElementsAre("fffffff:ff:ff.0 x2"));
}

TEST(SmiNvlink, PayloadRatesGoToTheLinks) {
  const auto host = read(
      "GPU 0: NVIDIA A100 (UUID: GPU-a)\n\t Link 0: 25 GB/s\n\t Link 1: 25 GB/s\n"
      "GPU 0: NVIDIA A100 (UUID: GPU-a)\n\t Link 0: 00000000:C5:00.0\n\t Link 1: "
      "00000000:C5:00.0\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(peers_of(gpu(host, 0)), ElementsAre("0000:c5:00.0 x2"));
  EXPECT_EQ(value_of(gpu(host, 0).nvlinks[0].rate), 25_GBps);
  EXPECT_EQ(value_of(gpu(host, 0).nvlinks_up), 2);
  EXPECT_THAT(host->skipped, IsEmpty());
}

TEST(SmiNvlink, SentencesTellToo) {
  const auto host = read(
      "GPU 0: NVIDIA L40S (UUID: GPU-a)\nDevice does not have or support Nvlink\n"
      "GPU 1: NVIDIA H100 (UUID: GPU-b)\nNvlink queries are not supported for Devices in MIG mode\n"
      "GPU 2: NVIDIA RTX 3090 (UUID: GPU-c)\n"
      "Unable to retrieve NVLink information as all links are inActive\n"
      "GPU 3: NVIDIA H100 (UUID: GPU-d)\n  MIG 3g.40gb     Device  0: (UUID: MIG-e)\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(value_of(gpu(host, 0).nvlinks_up), 0);
  EXPECT_TRUE(gpu(host, 0).nvlinks_up);
  EXPECT_FALSE(gpu(host, 1).nvlinks_up);
  EXPECT_TRUE(value_of(gpu(host, 1).mig));
  EXPECT_TRUE(gpu(host, 2).nvlinks_up);
  EXPECT_TRUE(value_of(gpu(host, 3).mig));
  EXPECT_THAT(host->skipped,
              ElementsAre("MIG instances are not read, only that MIG mode is on: GPU3"));
}

TEST(SmiNvlink, CountersAndCapabilitiesAreNoLinkStates) {
  const char* text =
      "GPU 0: NVIDIA H200 (UUID: GPU-a)\n\t Link 0, P2P is supported: true\n"
      "\t Link 0: Replay Errors: 0\n\t Link 0: Data Tx: 5 KiB\n";
  const auto host = read(text);
  ASSERT_TRUE(host);
  EXPECT_FALSE(gpu(host, 0).nvlinks_up);
}

TEST(SmiNvlink, PlacesThatDisagreeAreContradictions) {
  const auto host = read(
      "GPU 0: A (UUID: GPU-a)\n Link 0: 25 GB/s\n Link 0: 20 GB/s\n Link 1: 25 GB/s\n"
      " Link 0: 00000000:C5:00.0\n");
  ASSERT_TRUE(host);
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("1:1 W532", "3:2 W532"));
  EXPECT_THAT(messages_of(host),
              ElementsAre(HasSubstr("GPU0 (2 and 1)"),
                          "An NVLink is listed twice with different facts: GPU0"));
}

TEST(SmiNvlink, TwoGpusOfOneNumberAreOfTwoHosts) {
  const auto host = read("GPU 0: A (UUID: GPU-a)\nGPU 0: A (UUID: GPU-b)\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("2:1 E537"));
}

TEST(SmiNvlink, OtherTextTellsNothing) {
  const auto host = read("GPU 0: NVIDIA H200\nLink 0: 25 GB/s\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
}

TEST(SmiNvlink, MaskedAndSharedUuidsTellNoGpuFromAnother) {
  const auto host = read(
      "GPU 0: A (UUID: GPU-00000000-0000-0000-0000-000000000000)\n"
      "GPU 1: A (UUID: GPU-same)\nGPU 2: A (UUID: GPU-same)\n");
  ASSERT_TRUE(host);
  for (const auto& device : host->unplaced) EXPECT_FALSE(device.gpu->uuid);
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("UUID of zeros")));
  EXPECT_THAT(messages_of(host),
              ElementsAre("GPUs with the same UUID, which is not read: GPU1, GPU2"));
}

}  // namespace smi_nvlink_test
}  // namespace vgsim::topology::testing
