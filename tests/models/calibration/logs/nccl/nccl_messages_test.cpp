#include "models/calibration/logs/nccl/nccl_messages.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace nccl_messages_test {

using input::Diagnostics;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

struct Read {
  NcclMessages messages;
  std::string errors;
  std::string warnings;
};

Read read(const std::string& text) {
  Diagnostics warnings;
  auto messages = read_nccl_messages(input::make_source("t.log", text), warnings);
  return {messages.value_or(NcclMessages{}),
          messages ? std::string() : input::render(messages.error()), input::render(warnings)};
}

/// Two ranks on each of two hosts, in the wording of a release of 2023.
const std::string kRun = R"(a1:11:11 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
NCCL version 2.19.3+cuda12.3
a1:11:21 [0] NCCL INFO NCCL_ALGO set by environment to Ring
a1:11:21 [0] NCCL INFO NCCL_IB_TIMEOUT set by environment to 22.
a1:11:21 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>
a1:11:21 [0] NCCL INFO Using network IB
a1:11:21 [0] NCCL INFO comm 0xa1 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1a000 commId 0x77 - Init START
a1:12:22 [1] NCCL INFO comm 0xa2 rank 1 nranks 4 cudaDev 1 nvmlDev 1 busId 100000 commId 0x77 - Init START
b2:13:23 [0] NCCL INFO comm 0xa3 rank 2 nranks 4 cudaDev 0 nvmlDev 0 busId 1a000 commId 0x77 - Init START
b2:14:24 [1] NCCL INFO comm 0xa4 rank 3 nranks 4 cudaDev 1 nvmlDev 1 busId 100000 commId 0x77 - Init START
a1:11:21 [0] NCCL INFO === System : maxBw 24.0 totalBw 240.0 ===
a1:11:21 [0] NCCL INFO Pattern 4, crossNic 0, nChannels 2, bw 20.000000/12.500000, type NVL/PIX, sameChannels 1
a1:11:21 [0] NCCL INFO Channel 00/04 :    0   1   2   3
a1:11:21 [0] NCCL INFO Channel 01/04 :    0   3   2   1
a1:11:21 [0] NCCL INFO Trees [0] 1/2/-1->0->-1 [1] -1/-1/-1->0->1
b2:14:24 [1] NCCL INFO Trees [0] -1/-1/-1->3->2 [1] 2/-1/-1->3->0
a1:11:21 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM
a1:11:21 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM
a1:12:22 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0(0)/GDRDMA
b2:13:23 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [receive] via NET/IB/0/GDRDMA
b2:13:23 [0] NCCL INFO Channel 00 : 2[0] -> 3[1] via SHM/direct/direct
a1:11:21 [0] NCCL INFO 4 coll channels, 2 nvls channels, 8 p2p channels, 2 p2p channels per peer
b2:14:24 [1] transport/net_ib.cc:95 NCCL WARN NET/IB : Got async event : port error
a1:11:21 [0] NCCL INFO comm 0xa1 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 1a000 commId 0x77 - Init COMPLETE
)";

TEST(NcclMessages, ARunTellsOfTheJobAndTheMachine) {
  const Read result = read(kRun);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  const NcclMessages& messages = result.messages;
  EXPECT_FALSE(messages.is_rccl);
  EXPECT_THAT(messages.versions, ElementsAre("2.19.3"));
  EXPECT_THAT(messages.cuda_versions, ElementsAre("12.3"));
  EXPECT_THAT(messages.hosts, ElementsAre("a1", "b2"));
  EXPECT_THAT(messages.networks, ElementsAre("IB"));
  EXPECT_EQ(messages.ranks_seen, 4U);
  EXPECT_EQ(messages.messages, 24U);
  ASSERT_THAT(messages.nics, SizeIs(2));
  EXPECT_EQ(messages.nics[1].host, "a1");
  EXPECT_EQ(messages.nics[1].name, "mlx5_1");
  EXPECT_THAT(messages.nics[1].port, Optional(std::size_t{1}));
  EXPECT_EQ(messages.nics[1].link, "RoCE");
  ASSERT_THAT(messages.settings, SizeIs(2));
  EXPECT_EQ(messages.settings[0].name + "=" + messages.settings[0].value, "NCCL_ALGO=Ring");
  EXPECT_EQ(messages.settings[1].value, "22") << "the full stop ends the sentence";
  ASSERT_THAT(messages.problems, SizeIs(1));
  EXPECT_EQ(messages.problems[0].text, "NET/IB : Got async event : port error");
}

TEST(NcclMessages, ACommunicatorIsWhatItsRanksTellOfIt) {
  const Read result = read(kRun);
  ASSERT_THAT(result.messages.communicators, SizeIs(1));
  const NcclCommunicator& communicator = result.messages.communicators[0];
  EXPECT_EQ(communicator.id, "0x77");
  EXPECT_THAT(communicator.size, Optional(std::size_t{4}));
  EXPECT_THAT(communicator.channels, Optional(std::size_t{4}));
  EXPECT_THAT(communicator.nvls_channels, Optional(std::size_t{2}));
  EXPECT_THAT(communicator.p2p_channels, Optional(std::size_t{8}));
  EXPECT_THAT(communicator.p2p_channels_per_peer, Optional(std::size_t{2}));
  ASSERT_THAT(communicator.ranks, SizeIs(4));
  EXPECT_EQ(communicator.ranks[1].bus_id, "0001:00:00.0");
  EXPECT_EQ(communicator.ranks[2].bus_id, "0000:1a:00.0");
  EXPECT_EQ(communicator.ranks[2].host, "b2");
  EXPECT_THAT(communicator.ranks[3].device, Optional(std::size_t{1}));
  ASSERT_THAT(communicator.rings, SizeIs(2));
  EXPECT_EQ(communicator.rings[1].channel, 1U);
  EXPECT_THAT(communicator.rings[1].ranks, ElementsAre(0, 3, 2, 1));
  ASSERT_THAT(communicator.trees, SizeIs(4));
  const NcclTree& root = communicator.trees[0];
  EXPECT_EQ(root.parent, std::nullopt);
  EXPECT_THAT(root.children, ElementsAre(1, 2));
}

std::string show(const NcclMessages& messages) {
  std::string text;
  for (const NcclConnection& each : messages.connections) {
    text += fmt::format("{}>{} {} x{};", each.from, each.to, each.transport, each.messages);
  }
  return text;
}

TEST(NcclMessages, ConnectionsCountByPairAndByTransport) {
  EXPECT_EQ(show(read(kRun).messages), "0>1 P2P/CUMEM x2;1>2 NET/IB/GDRDMA x2;2>3 SHM x1;");
}

TEST(NcclMessages, TransportsHaveManyNames) {
  const std::map<std::string, std::string> names = {
      {"P2P/IPC/read", "P2P/IPC"},
      {"P2P/direct pointer", "P2P/direct pointer"},
      {"P2P/indirect/3[43000]", "P2P/indirect"},
      {"P2P/IPC comm 0x3cfa21d0 nRanks 16", "P2P/IPC"},
      {"direct shared memory", "SHM"},
      {"SHM", "SHM"},
      {"NET/Socket/0", "NET/Socket"},
      {"NET/IBext_v8/5(13)/GDRDMA/Shared", "NET/IBext_v8/GDRDMA"},
      {"NET/IB/2/Shared", "NET/IB"},
      {"NET/IB/0/GDRDMA(PCI)", "NET/IB/GDRDMA"},
      {"NET/AWS Libfabric/1/GDRDMA", "NET/AWS Libfabric/GDRDMA"}};
  for (const auto& [way, name] : names) {
    const Read result = read("h:1:2 [0] NCCL INFO Channel 00 : 3[8a000] -> 0[1a000] via " + way);
    ASSERT_THAT(result.messages.transports, SizeIs(1)) << way;
    EXPECT_EQ(result.messages.transports[0].name, name);
    EXPECT_EQ(result.messages.ranks_seen, 4U);
  }
}

TEST(NcclMessages, PrefixesChangeNothing) {
  const std::string plain = show(read(kRun).messages);
  for (const char* prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", " 3: ", "gpubox1: ",
                             "2026-05-18T10:11:12.345Z ", "[2026-05-18 10:11:12] "}) {
    SCOPED_TRACE(prefix);
    const Read result = read(prefixed(kRun, prefix));
    EXPECT_EQ(show(result.messages), plain);
    EXPECT_THAT(result.messages.hosts, ElementsAre("a1", "b2"));
    EXPECT_THAT(result.messages.communicators, SizeIs(1));
    EXPECT_EQ(result.messages.communicators[0].rings.size(), 2U);
  }
}

/// From 2.26 on, with NCCL_DEBUG_SUBSYS: the function and line of the source.
TEST(NcclMessages, FunctionsMayStandBeforeTheMessage) {
  const Read result = read(
      "gpu1:7:7 [0] showVersion, 544 NCCL INFO NCCL version 2.26.6+cudaCUDA_MAJOR.CUDA_MINOR\n"
      "gpu1:7:9 [0] ncclCommInitRankFunc, 1413 NCCL INFO ncclCommInitAll comm 0x5 rank 0 nranks 1 "
      "cudaDev 0 nvmlDev 0 busId 8000 commId 0xdc2 - Init START\n"
      "gpu1:7:9 [0] initTransportsRank, 1000 NCCL INFO comm 0x5 rank 0 nRanks 1 nNodes 1 "
      "localRanks 1 localRank 0 MNNVL 0\n"
      "gpu1:7:9 [0] dumpLine, 25 NCCL INFO Channel 00/64 : 0\n"
      "gpu1:7:9 [0] ncclCommInitRankFunc, 1442 NCCL INFO ncclCommInitAll comm 0x5 rank 0 nranks 1 "
      "cudaDev 0 nvmlDev 0 busId 8000 commId 0xdc2 - Init COMPLETE\n");
  EXPECT_THAT(result.messages.versions, ElementsAre("2.26.6"));
  EXPECT_THAT(result.messages.cuda_versions, IsEmpty());
  ASSERT_THAT(result.messages.communicators, SizeIs(1));
  EXPECT_THAT(result.messages.communicators[0].nodes, Optional(std::size_t{1}));
  EXPECT_THAT(result.messages.communicators[0].channels, Optional(std::size_t{64}));
}

TEST(NcclMessages, Before218CommunicatorsFollowOneAnother) {
  std::string text;
  for (const char* pointer : {"0xa", "0xb"}) {
    text += "h:1:2 [0] NCCL INFO Channel 00/02 :    0   1\n";
    for (const char* rank : {"0", "1"}) {
      text += fmt::format(
          "h:{0}:2 [{0}] NCCL INFO comm {1} rank {0} nranks 2 cudaDev {0} busId "
          "{2}000 - Init COMPLETE\n",
          rank, pointer, rank[0] == '0' ? "1a" : "3b");
    }
  }
  text += "h:1:2 [0] NCCL INFO comm 0xa rank 0 nranks 2 cudaDev 0 busId 1a000 - Destroy COMPLETE\n";
  text += "h:1:2 [0] NCCL INFO comm 0xa rank 0 nranks 2 cudaDev 0 busId 1a000 - Abort COMPLETE\n";
  const Read result = read(text);
  ASSERT_THAT(result.messages.communicators, SizeIs(2));
  for (const NcclCommunicator& communicator : result.messages.communicators) {
    EXPECT_THAT(communicator.ranks, SizeIs(2));
  }
}

TEST(NcclMessages, RanksWhoseEndTheLogLacksAreStillOfTheJob) {
  const Read result = read(
      "h:1:1 [0] NCCL INFO Trees [0] 1/-1/-1->0->-1|-1->0->1/-1/-1\n"
      "h:2:2 [1] NCCL INFO Trees [0] -1/-1/-1->1->0|0->1->-1/-1/-1\n"
      "h:1:1 [0] NCCL INFO comm 0xa rank 0 nranks 2 cudaDev 0 busId 1a000 - Init COMPLETE\n");
  ASSERT_THAT(result.messages.communicators, SizeIs(1));
  ASSERT_THAT(result.messages.communicators[0].ranks, SizeIs(2));
  EXPECT_EQ(result.messages.communicators[0].ranks[1].bus_id, "");
  EXPECT_THAT(result.messages.communicators[0].trees, SizeIs(2));
}

TEST(NcclMessages, WithoutItsEndTheSizeOfACommunicatorIsUnknown) {
  const Read result = read(
      "h:1:1 [0] NCCL INFO Channel 00/02 :    0   1\n"
      "h:1:1 [0] NCCL INFO Trees [0] 0->1->2/-1/-1\n");
  ASSERT_THAT(result.messages.communicators, SizeIs(1));
  EXPECT_EQ(result.messages.communicators[0].size, std::nullopt);
  EXPECT_EQ(result.messages.ranks_seen, 2U);
  const NcclTree& tree = result.messages.communicators[0].trees.at(0);
  EXPECT_THAT(tree.parent, Optional(std::size_t{0})) << "2.4 names the parent first";
  EXPECT_THAT(tree.children, ElementsAre(2));
}

TEST(NcclMessages, RcclTellsTheSame) {
  const Read result = read(
      "amd1:1:1 [0] NCCL INFO RCCL version 2.18.3+hip6.0 HEAD:2f6b\n"
      "amd1:1:2 [0] NCCL INFO NET/IB : Using [0]={[0] rocep1s0f0:1/RoCE, [1] rocep1s0f1:1/RoCE} "
      "[1]={[2] rocep3s0f0:1/RoCE} [RO]; OOB eno1:10.0.0.1<0>\n"
      "amd1:1:2 [0] NCCL INFO Channel 00/0 : 1[26000] -> 0[5000] via P2P/IPC comm 0x3c nRanks "
      "16\n");
  EXPECT_TRUE(result.messages.is_rccl);
  EXPECT_THAT(result.messages.versions, ElementsAre("2.18.3"));
  EXPECT_THAT(result.messages.cuda_versions, ElementsAre("6.0"));
  ASSERT_THAT(result.messages.nics, SizeIs(3));
  EXPECT_EQ(result.messages.nics[1].name, "rocep1s0f1");
  EXPECT_EQ(read("RCCL version : 2.22.3-develop:ab\n").messages.versions.at(0), "2.22.3");
}

TEST(NcclMessages, SocketsAreNicsToo) {
  const Read result =
      read("h:1:2 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0> [1]eth1:10.0.1.1<0>\n");
  ASSERT_THAT(result.messages.nics, SizeIs(2));
  EXPECT_EQ(result.messages.nics[1].name, "eth1");
  EXPECT_EQ(result.messages.nics[1].link, "Socket");
}

TEST(NcclMessages, CutMessagesAreCountedAndLeftOut) {
  const Read result = read(kRun +
                           "a1:11:21 [0] NCCL INFO Channel 14/0 : 8[0] Setting up attention.\n"
                           "a1:11:21 [0] NCCL INFO Channel 15/0 : 4[4] -> 12[4] [seSetting up\n"
                           "a1:11:21 [0] NCCL INFO comm 0xa1 rank 9 nranSetting up\n"
                           "1:21 [0] NCCL INFO Connected all rings\n");
  EXPECT_THAT(result.warnings, HasSubstr("3 of 28 messages"));
  EXPECT_EQ(show(result.messages), show(read(kRun).messages));
  EXPECT_THAT(result.messages.hosts, ElementsAre("a1", "b2"));
}

/// A process's messages can begin with the end of another's, or lack their own beginning.
TEST(NcclMessages, DamagedNamesOfHostsAreThoseOfTheirProcess) {
  const Read result = read(
      "node-7:55:1 [0] NCCL INFO Using network IB\nnode-7:55:1 [0] NCCL INFO Using network IB\n"
      "e-7:55:1 [0] NCCL INFO Using network IB\n"
      "node-6:8427node-7:55:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB ; OOB eth0:1<0>\n");
  EXPECT_THAT(result.messages.hosts, ElementsAre("node-7"));
  ASSERT_THAT(result.messages.nics, SizeIs(1));
  EXPECT_EQ(result.messages.nics[0].host, "node-7");
}

TEST(NcclMessages, TwoMessagesInALineAreTheLast) {
  const Read result = read(
      "a1:1:1 [0] NCCL INFO AllGather: opCa2:2:2 [1] NCCL INFO Channel 00 : 0[0] -> 1[1] via "
      "SHM\n");
  EXPECT_EQ(show(result.messages), "0>1 SHM x1;");
  EXPECT_THAT(result.messages.hosts, ElementsAre("opCa2"));
}

TEST(NcclMessages, AFileWithoutAnyIsAnError) {
  for (const char* text : {"", "hello\n", "NCCL INFO\n", "# size count type\n"}) {
    EXPECT_THAT(read(text).errors, HasSubstr("E532")) << text;
  }
  EXPECT_FALSE(is_nccl_messages("nvbandwidth Version: v0.6\n"));
  EXPECT_TRUE(is_nccl_messages(kRun));
  EXPECT_TRUE(is_nccl_messages("NCCL version 2.4.8+cuda10.1\n"));
}

TEST(NcclMessages, NumbersThatCannotBeAreNone) {
  const Read result = read(
      "h:1:1 [0] NCCL INFO comm 0xa rank 5 nranks 4 cudaDev 0 busId 1a000 - Init COMPLETE\n"
      "h:1:1 [0] NCCL INFO comm 0xa rank 0 nranks 99999999999999999999 cudaDev 0 - Init COMPLETE\n"
      "h:1:1 [0] NCCL INFO Channel 00/99999999 : 0 1\n"
      "h:1:1 [0] NCCL INFO Pattern 4, crossNic 0, nChannels x, bw 1/1, type A/B\n");
  EXPECT_THAT(result.messages.communicators, IsEmpty());
  EXPECT_THAT(result.messages.graphs, IsEmpty());
}

/// The contents of a log, as found by other tools (grep, Python).
struct Sample {
  const char* file;
  const char* versions;
  std::size_t hosts;
  std::size_t ranks;  ///< of the largest communicator; 0 if unknown
  std::size_t ranks_seen;
  std::size_t communicators;  ///< that were completed
  std::size_t channels;       ///< of the communicator with the most channels
  const char* ring;           ///< of channel 0, if it is printed first
  std::map<std::string, std::size_t> transports;
  std::size_t nics;
  std::size_t settings;
};

std::vector<Sample> samples() {
  return {
      {"bigscience-all_reduce_bench-a100-n4.log",
       "2.10.3",
       4,
       32,
       32,
       1,
       2,
       "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
       {{"NET/IB", 40}, {"P2P/IPC", 110}},
       16,
       0},
      {"bigscience-n16_32gb_all_reduce_bench.log",
       "2.7.8",
       16,
       64,
       64,
       1,
       4,
       "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
       {{"NET/IB", 32}, {"P2P/IPC", 118}},
       64,
       0},
      {"bigscience-n1_32gb_all_reduce_bench.log",
       "2.7.8",
       1,
       4,
       4,
       1,
       12,
       "0 1 2 3",
       {{"P2P/IPC", 100}},
       4,
       0},
      {"mlperfv1.1-Dell-DSS8440x8A100-PCIE-40GB.log",
       "2.11.4",
       1,
       8,
       8,
       3,
       2,
       "0 1 2 3 4 5 6 7",
       {{"P2P/IPC", 48}},
       1,
       0},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n16_pytorch.log",
       "2.12.10",
       16,
       16,
       16,
       2,
       2,
       "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
       {{"COLLNET/SHARP", 2}, {"NET/IBext", 148}},
       128,
       3},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n1_merlin_hugectr.log",
       "2.12.10",
       1,
       8,
       8,
       1,
       24,
       "0 1 2 3 4 5 6 7",
       {{"P2P/direct pointer", 150}},
       8,
       2},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n1_mxnet.log",
       "2.12.10",
       1,
       8,
       8,
       2,
       24,
       "0 1 2 3 4 5 6 7",
       {{"P2P/IPC", 150}},
       8,
       2},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n1_pytorch.log",
       "2.12.10",
       1,
       8,
       8,
       3,
       24,
       "0 1 2 3 4 5 6 7",
       {{"P2P/IPC", 150}},
       8,
       3},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n2_pytorch.log",
       "2.12.10",
       2,
       16,
       16,
       1,
       24,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9",
       {{"NET/IBext/GDRDMA", 84}, {"P2P/IPC", 66}},
       16,
       3},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n4_pytorch.log",
       "2.12.10",
       4,
       32,
       32,
       1,
       24,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9 16 23 22 21",
       {{"NET/IBext/GDRDMA", 84}, {"P2P/IPC", 66}},
       32,
       3},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n8_mxnet.log",
       "2.12.10",
       8,
       0,
       64,
       0,
       24,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9 16 23 22 21",
       {{"NET/IBext/GDRDMA", 87}, {"P2P/IPC", 44}},
       64,
       2},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n8_pytorch.log",
       "2.12.10",
       8,
       0,
       64,
       0,
       24,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9 16 23 22 21",
       {{"NET/IBext/GDRDMA", 95}, {"P2P/IPC", 36}},
       64,
       2},
      {"mlperfv2.0-Azure-ND96amsr_A100_v4_n9_mxnet.log",
       "2.12.10",
       7,
       0,
       56,
       0,
       24,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9 16 23 22 21",
       {{"NET/IBext/GDRDMA", 105}, {"P2P/IPC", 45}},
       56,
       2},
      {"mlperfv2.0-Dell-2xXE8545x4A100-SXM-40GB.log",
       "2.12.10",
       2,
       8,
       8,
       1,
       4,
       "0 1 2 3 4 5 6 7",
       {{"NET/IBext", 32}, {"P2P/IPC", 56}},
       4,
       0},
      {"mlperfv2.0-Dell-2xXE8545x4A100-SXM-80GB.log",
       "2.12.10",
       2,
       8,
       8,
       1,
       4,
       "0 1 2 3 4 5 6 7",
       {{"NET/IBext", 32}, {"P2P/IPC", 56}},
       4,
       0},
      {"mlperfv2.0-Dell-XE8545x4A100-SXM-80GB.log",
       "2.12.10",
       1,
       4,
       4,
       1,
       24,
       "0 1 2 3",
       {{"P2P/IPC", 150}},
       2,
       0},
      {"mlperfv2.1-Azure-ND96amsr_A100_v4_n1_pytorch.log",
       "2.12.10",
       1,
       8,
       8,
       4,
       24,
       "0 1 2 3 6 7 4 5",
       {{"P2P/IPC", 150}},
       8,
       3},
      {"mlperfv3.1-Dell-2xXE8640x4H100-SXM-80GB.log",
       "2.18.5",
       2,
       8,
       8,
       4,
       24,
       "0 1 2 3 4 5 6 7",
       {{"NET/IBext/GDRDMA", 64}, {"P2P/IPC", 86}},
       8,
       1},
      {"mlperfv3.1-Dell-XE9640x4H100-SXM-80GB.log",
       "2.17.1",
       1,
       4,
       4,
       1,
       24,
       "0 1 2 3",
       {{"P2P/IPC", 150}},
       2,
       1},
      {"mlperfv5.1-MangoBoost-MI300X-LLMBoost-GPUBoost-2node.log",
       "",
       1,
       16,
       16,
       6,
       32,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9",
       {{"NET/Socket", 64}, {"P2P/IPC", 86}},
       8,
       3},
      {"mlperfv5.1-MangoBoost-MI325X-LLMBoost-GPUBoost-2node.log",
       "",
       1,
       16,
       16,
       6,
       64,
       "0 5 7 6 4 12 14 15 13 8 10 11 9 1 3 2",
       {{"P2P/IPC", 150}},
       16,
       3},
      {"nebius-h100-2x8.log",
       "2.19.3",
       2,
       16,
       16,
       1,
       16,
       "0 7 6 5 4 3 2 1 8 15 14 13 12 11 10 9",
       {{"NET/IBext/GDRDMA", 26}, {"P2P/CUMEM", 124}},
       16,
       1},
      {"ssbandjl-all_gpu_4gpu_log.log", "2.26.2 2.26.5", 2, 1, 1, 4, 64, "0", {}, 4, 1},
      {"ssbandjl-all_ref_log.log", "2.26.6", 1, 1, 1, 1, 64, "0", {}, 1, 2},
      {"ssbandjl-run_with_mpi_2node_4gpu_trace_log.log",
       "",
       2,
       4,
       4,
       1,
       4,
       "0 1 2 3",
       {{"NET/IB", 16}, {"SHM", 8}},
       0,
       0},
  };
}

void expect_sample(const Sample& sample) {
  const Read result = read(sample_text(sample_folder("nccl-log") / sample.file));
  ASSERT_EQ(result.errors, "");
  const NcclMessages& messages = result.messages;
  EXPECT_EQ(fmt::format("{}", fmt::join(messages.versions, " ")), sample.versions);
  EXPECT_EQ(messages.hosts.size(), sample.hosts);
  const NcclCommunicator* const largest = largest_communicator(messages);
  ASSERT_NE(largest, nullptr);
  EXPECT_EQ(largest->size.value_or(0), sample.ranks);
  EXPECT_EQ(messages.ranks_seen, sample.ranks_seen);
  EXPECT_EQ(messages.communicators.size(), std::max<std::size_t>(1, sample.communicators));
  std::size_t channels = 0;
  for (const auto& each : messages.communicators) {
    channels = std::max(channels, each.channels.value_or(0));
  }
  EXPECT_EQ(channels, sample.channels);
  ASSERT_FALSE(messages.communicators[0].rings.empty());
  EXPECT_EQ(fmt::format("{}", fmt::join(messages.communicators[0].rings[0].ranks, " ")),
            sample.ring);
  std::map<std::string, std::size_t> transports;
  for (const NcclTransport& each : messages.transports) transports[each.name] = each.messages;
  EXPECT_EQ(transports, sample.transports);
  EXPECT_EQ(messages.nics.size(), sample.nics);
  EXPECT_EQ(messages.settings.size(), sample.settings);
}

using ExtraNcclMessages = test::NeedsExtraFiles;

TEST_F(ExtraNcclMessages, SamplesHoldWhatIsInThem) {
  EXPECT_EQ(samples_in(sample_folder("nccl-log")).size(), samples().size());
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.file);
    expect_sample(sample);
  }
}

TEST_F(ExtraNcclMessages, SamplesTellWhereRanksAre) {
  const auto last_of = [](const char* file) {
    const Read result = read(sample_text(sample_folder("nccl-log") / file));
    const NcclRank& last = largest_communicator(result.messages)->ranks.back();
    return fmt::format("{} {} {}", last.rank, last.host, last.bus_id);
  };
  EXPECT_EQ(last_of("bigscience-all_reduce_bench-a100-n4.log"), "31 jean-zay-iam52 0000:cb:00.0");
  EXPECT_EQ(last_of("nebius-h100-2x8.log"), "15 worker-1 0000:b7:00.0");
  EXPECT_EQ(last_of("mlperfv2.0-Azure-ND96amsr_A100_v4_n2_pytorch.log"),
            "15 ip-0A230410 000e:00:00.0");
  EXPECT_EQ(last_of("mlperfv5.1-MangoBoost-MI325X-LLMBoost-GPUBoost-2node.log"),
            "7 mi325x-01 0000:97:00.0");
  EXPECT_EQ(last_of("ssbandjl-run_with_mpi_2node_4gpu_trace_log.log"), "3 gdr116 0000:82:00.0");
}

}  // namespace nccl_messages_test
}  // namespace vgsim::calibration
