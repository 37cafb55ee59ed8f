#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/models/traces/trace_texts.hpp"
#include "tests/tools/program.hpp"

namespace vgsim {
namespace import_command_test {

using ::testing::HasSubstr;

TEST(ImportCommand, MakesANetworkThatAScenarioCanTrain) {
  const test::Scratch scratch;
  const std::string trace =
      scratch.write("small.pt.trace.json", test::kineto_trace(test::small_network()));
  const test::Ran import =
      test::run_program(scratch, "import " + trace + " -o " + scratch.file("small.json"));
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("2 layers, 5 tensors with 2686 parameters"));
  EXPECT_THAT(import.err, HasSubstr("GPU: NVIDIA A100-SXM4-80GB"));
  const nlohmann::json scenario = {{"name", "traced"},
                                   {"hosts", {{"h", {{"server", "dell-xe9680"}}}}},
                                   {"job",
                                    {{"network", "small.json"},
                                     {"batch_per_gpu", 64},
                                     {"achieved_share", 0.3},
                                     {"samples_per_epoch", 10000}}}};
  const test::Ran run = test::run_program(
      scratch, "run --format json " + scratch.write("scenario.json", scenario.dump()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  EXPECT_EQ(result["layouts"]["traced"]["gradients"]["bytes"], 4 * 2686);
}

TEST(ImportCommand, RefusesButReportsTheContentOfTheTrace) {
  const test::Scratch scratch;
  const std::string trace =
      scratch.write("bare.json", test::kineto_trace(test::small_network(), false));
  const test::Ran import =
      test::run_program(scratch, "import " + trace + " -o " + scratch.file("bare.out"));
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_THAT(import.err, HasSubstr("median 40.0 ms"));
  EXPECT_THAT(import.err, HasSubstr("record_shapes=True"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("bare.out")));
}

TEST(ImportCommand, ReadsAnExecutionTraceAndItsProfileTogether) {
  const test::Scratch scratch;
  const auto calls = test::small_network();
  const std::string profile = scratch.write(
      "profile.json", test::with_kernels(test::kineto_trace(calls, false), "sgemm_tn", 100));
  const std::string execution = scratch.write("et.json", test::execution_trace(calls, true));
  const std::string made = " --name small -o " + scratch.file("small.json");
  for (const std::string& files : {profile + " " + execution, execution + " " + profile}) {
    const test::Ran import = test::run_program(scratch, "import " + files + made);
    ASSERT_EQ(import.exit_code, 0) << import.err;
    EXPECT_THAT(import.err, HasSubstr("2 layers, 5 tensors with 2686 parameters"));
    EXPECT_THAT(import.err, HasSubstr("achieved share"));
  }
  for (const std::string& files : {profile + " " + profile, execution + " " + execution,
                                   profile + " " + execution + " " + profile}) {
    const test::Ran import = test::run_program(scratch, "import " + files + made);
    EXPECT_EQ(import.exit_code, 2);
    EXPECT_THAT(import.err, HasSubstr("an execution trace and the profile of the same run"));
  }
}

TEST(ImportCommand, MeasurementsAloneMakeNoFile) {
  const test::Scratch scratch;
  const std::string log = scratch.write(
      "nccl.log",
      "NCCL version 2.19.3+cuda12.3\nbox:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring\n");
  EXPECT_EQ(test::run_program(scratch, "import " + log).exit_code, 0);
  const test::Ran written =
      test::run_program(scratch, "import " + log + " -o " + scratch.file("o"));
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_THAT(written.err, HasSubstr("NCCL_ALGO=Ring"));
  EXPECT_THAT(written.err, HasSubstr("nothing is written to"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("o")));
}

/// NCCL's log alone, and with the names of the GPUs: the needs of the first import go away.
TEST(ImportCommand, ALogWithASystemTreeGivesTheHost) {
  const test::Scratch scratch;
  std::string text;
  for (const char* line : {"=== System : maxBw 12.0 totalBw 12.0 ===", "CPU/0-0 (1/1/1)",
                           "+ PCI[12.0] - GPU/0-5000 (0)", "+ PCI[12.0] - GPU/0-6000 (1)",
                           "==========================================", "Channel 00/02 : 0 1"}) {
    text += "box3:1:2 [0] NCCL INFO " + std::string(line) + "\n";
  }
  const std::string log = scratch.write("nccl.log", text);
  const test::Ran alone = test::run_program(scratch, "import " + log);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("the model of these 2 GPUs"));
  EXPECT_THAT(alone.err, HasSubstr("nccl.log: log"));
  EXPECT_EQ(nlohmann::json::parse(alone.out)["name"], "box3");
  const std::string names =
      scratch.write("smi.txt",
                    "GPU 0: Tesla T4 (UUID: GPU-1b2c3d4e-0000-1111-2222-333344445555)\n"
                    "GPU 1: Tesla T4 (UUID: GPU-1b2c3d4e-0000-1111-2222-333344445556)\n");
  const test::Ran both = test::run_program(scratch, "import " + log + " " + names);
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.err, ::testing::Not(HasSubstr("needs")));
  const auto host = nlohmann::json::parse(both.out);
  EXPECT_EQ(host["devices"][1]["bus_id"], "0000:06:00.0");
  EXPECT_EQ(host["devices"][1]["product"], "Tesla T4");
}

TEST(ImportCommand, DumpsOfAmdGpusAreRefusedWithOneMessage) {
  const test::Scratch scratch;
  for (const char* text :
       {"==== ROCm System Management Interface ====\n=== Weight between two GPUs ===\n"
        "       GPU0   GPU1\nGPU0   0      15\nGPU1   15     0\n",
        "HOPS TABLE:\n        0000:03:00.0\n0000:03:00.0 0\nLINK TYPE TABLE:\n",
        "rccl-tests: Version develop\n# nThread 1 nGpus 2\n",
        "b:1:2 [0] NCCL INFO RCCL version 2.18.3+hip6.0\n"}) {
    const test::Ran ran = test::run_program(scratch, "import " + scratch.write("a.txt", text));
    EXPECT_EQ(ran.exit_code, 2) << text;
    EXPECT_THAT(ran.err,
                HasSubstr("error E506: output of AMD's tools: AMD GPUs are not supported"));
    EXPECT_THAT(ran.err, HasSubstr("1 error"));
  }
}

TEST(ImportCommand, NamesOfThePciIdListAreThoseOfTheCatalogue) {
  const test::Scratch scratch;
  const std::string tree = scratch.write(
      "tv.txt", "-[0000:00]---01.0-[01]----00.0  NVIDIA Corporation GA100 [A100 SXM4 40GB]\n");
  const test::Ran import = test::run_program(scratch, "import " + tree);
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("1 x a100-sxm4-40gb"));
  EXPECT_THAT(import.out, ::testing::Not(HasSubstr("pci_id"))) << "the list's name contains none";
}

/// Names as nvidia-smi prints them.
TEST(ImportCommand, NamesOfTheDriverAreThoseOfTheCatalogue) {
  const test::Scratch scratch;
  for (const auto& [name, gpu] : {std::pair{"NVIDIA H20", "h20-sxm5-96gb"},
                                  {"NVIDIA H20-3e", "h20-sxm5-141gb"},
                                  {"NVIDIA A800-SXM4-80GB", "a800-sxm4-80gb"},
                                  {"NVIDIA A800 80GB PCIe", "a800-pcie-80gb"},
                                  {"NVIDIA A800 40GB Active", "a800-pcie-40gb"}}) {
    std::string text;
    for (int g = 0; g < 8; ++g) {
      text += "GPU " + std::to_string(g) + ": " + name + " (UUID: GPU-1b2c3d4e-" +
              std::to_string(1000 + g) + "-1111-2222-333344445555)\n";
    }
    const test::Ran import = test::run_program(scratch, "import " + scratch.write("smi.txt", text));
    EXPECT_THAT(import.err, HasSubstr(std::string("8 x ") + gpu)) << import.err;
    EXPECT_THAT(import.err, ::testing::Not(HasSubstr("needs  host1: the model")));
  }
  const test::Ran unknown = test::run_program(
      scratch, "import " + scratch.write("smi.txt",
                                         "GPU 0: NVIDIA H30 (UUID: GPU-1b2c3d4e-1000)\n"
                                         "GPU 1: NVIDIA H30 (UUID: GPU-1b2c3d4e-1001)\n"));
  EXPECT_THAT(unknown.err, HasSubstr("\"NVIDIA H30\", which is not in the"));
}

TEST(ImportCommand, ATraceWithKernelsGivesANetworkThatRuns) {
  const test::Scratch scratch;
  const std::string trace = scratch.write(
      "timed.json",
      test::with_kernels(test::kineto_trace(test::small_network()),
                         "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn", 10));
  const std::string made = " -o " + scratch.file("timed-net.json");
  const test::Ran import = test::run_program(scratch, "import " + trace + made);
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("of the fp16 peak of a100-sxm4-80gb"));
  const nlohmann::json scenario = {{"name", "traced"},
                                   {"hosts", {{"h", {{"server", "dell-xe8545"}}}}},
                                   {"job",
                                    {{"network", "timed-net.json"},
                                     {"batch_per_gpu", 2},
                                     {"precision", "fp16"},
                                     {"samples_per_epoch", 10000}}}};
  const test::Ran run = test::run_program(
      scratch, "run --format json " + scratch.write("scenario.json", scenario.dump()));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const test::Ran other = test::run_program(scratch, "import --gpu l40s " + trace + made);
  EXPECT_THAT(other.err, HasSubstr("of the fp16 peak of l40s"));
  const test::Ran unknown = test::run_program(scratch, "import --gpu h1000 " + trace + made);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown gpu"));
}

TEST(ImportCommand, ATableOfHostsBecomesAScenarioThatRuns) {
  const test::Scratch scratch;
  const std::string table =
      scratch.write("hosts.csv",
                    "host,count,server,gpus,nics,cluster\n"
                    "esx,2,PowerEdge XE9680,8 x h100-sxm,1 x connectx-7-ndr-400g,a\n"
                    "lab,1,dell-r750xa,,,b\n");
  const std::string scenario = scratch.file("x.json");
  const test::Ran import =
      test::run_program(scratch, "import " + table + " --scenario " + scenario);
  ASSERT_EQ(import.exit_code, 0) << import.err;
  const auto json = nlohmann::json::parse(test::read_file(scenario));
  EXPECT_EQ(json["hosts"]["esx[01-02]"]["server"], "dell-xe9680");
  EXPECT_EQ(json["vms"]["vm-esx[01-02]"]["host"], "esx[01-02]");
  EXPECT_EQ(json["job"]["vms"], nlohmann::json::array({"vm-esx[01-02]"}));
  const test::Ran run = test::run_program(scratch, "run -q --draws 0 " + scenario);
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(ImportCommand, ATableOfHostsWithUnknownPartsIsRefusedCellByCell) {
  const test::Scratch scratch;
  const std::string table = scratch.write("hosts.csv",
                                          "host,server,gpus,vsphere\n"
                                          "esx1,dell-xe968,8 x h100-sxm,\n"
                                          "esx2,dell-xe9680,9 x h100-sxm,8.0U9\n");
  const test::Ran import =
      test::run_program(scratch, "import " + table + " --scenario " + scratch.file("x.json"));
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_THAT(import.err, HasSubstr("hosts.csv:2:6: error E534: server is \"dell-xe968\""));
  EXPECT_THAT(import.err, HasSubstr("dell-xe9680"));
  EXPECT_THAT(import.err, HasSubstr("hosts.csv:3:18: error E534: 9 GPUs"));
  EXPECT_THAT(import.err, HasSubstr("hosts.csv:3:31: error E534: vsphere is \"8.0U9\""));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("x.json")));
}

TEST(ImportCommand, AScenarioNamesTopologyFilesRelativeToItself) {
  const test::Scratch scratch;
  const std::string host = scratch.write("vHost.csv",
                                         "Host,CPU Model,# CPU,# Cores,# Memory\n"
                                         "esx01,Xeon,2,64,1024000\nesx02,Xeon,2,64,1024000\n");
  const test::Ran import =
      test::run_program(scratch, "import " + host + " -o " + scratch.file("hosts/") +
                                     " --scenario " + scratch.file("x.json"));
  ASSERT_EQ(import.exit_code, 0) << import.err;
  const auto json = nlohmann::json::parse(test::read_file(scratch.file("x.json")));
  EXPECT_EQ(json["hosts"]["esx[01-02]"]["topology"], "hosts/esx01.json");
  EXPECT_TRUE(std::filesystem::exists(scratch.file("hosts/esx01.json")));
  EXPECT_THAT(import.err, HasSubstr("no file lists GPUs"));
}

TEST(ImportCommand, WritesOverNoScenarioThatSomebodyHasChanged) {
  const test::Scratch scratch;
  const std::string table = scratch.write("hosts.csv", "host,server,GPUs\nesx1,dell-xe9680,8\n");
  const std::string scenario = scratch.file("x.json");
  const std::string import = "import " + table + " --scenario " + scenario;
  ASSERT_EQ(test::run_program(scratch, import).exit_code, 0);
  EXPECT_EQ(test::run_program(scratch, "validate " + scenario).exit_code, 0);
  const std::string written = test::read_file(scenario);
  scratch.write("hosts.csv", "host,server,GPUs\nesx1,dell-xe9680,4\n");
  EXPECT_EQ(test::run_program(scratch, import).exit_code, 0) << "it is as import wrote it";
  EXPECT_NE(test::read_file(scenario), written);
  std::string mine = written;
  mine.replace(mine.find("\"batch_per_gpu\": 8"), 18, "\"batch_per_gpu\": 9");
  for (const std::string& other : {mine, std::string("{}"), written.substr(0, 100)}) {
    scratch.write("x.json", other);
    const test::Ran refused = test::run_program(scratch, import);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--force writes over it"));
    EXPECT_EQ(test::read_file(scenario), other);
  }
  EXPECT_EQ(test::run_program(scratch, import + " --force").exit_code, 0);
  EXPECT_THAT(test::read_file(scenario), HasSubstr("\"batch_per_gpu\": 8"));
}

TEST(ImportCommand, TopologyFilesOfAScenarioAreJsonByName) {
  const test::Scratch scratch;
  const std::string tree = scratch.write(
      "tv.txt", "-[0000:00]---01.0-[01]----00.0  NVIDIA Corporation GA100 [A100 SXM4 40GB]\n");
  const std::string import = "import " + tree + " --scenario " + scratch.file("x.json") + " -o ";
  const test::Ran refused = test::run_program(scratch, import + scratch.file("host"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("host.json instead of"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("x.json")));
  EXPECT_EQ(test::run_program(scratch, import + scratch.file("host.json")).exit_code, 0);
}

TEST(ImportCommand, NotesFitIntoEightyColumns) {
  const test::Scratch scratch;
  const std::string host = scratch.write("vHost.csv",
                                         "Host,CPU Model,# CPU,# Cores,# Memory\n"
                                         "esx01,Xeon,2,64,1024000\nesx02,Xeon,2,64,1024000\n");
  const test::Ran import =
      test::run_program(scratch, "import " + host + " --scenario " + scratch.file("x.json"));
  std::istringstream lines(import.err);
  for (std::string line; std::getline(lines, line);) {
    const bool has_path = line.find(scratch.file("")) != line.npos;
    EXPECT_TRUE(has_path || line.size() <= 80) << line;
  }
}

TEST(ImportCommand, WorkbooksThatCannotBeReadAreNoTraces) {
  const test::Scratch scratch;
  for (const char* start : {"PK\x03\x04 cut", "\xD0\xCF\x11\xE0 old"}) {
    const test::Ran import =
        test::run_program(scratch, "import " + scratch.write("book.xlsx", start));
    EXPECT_EQ(import.exit_code, 2);
    EXPECT_THAT(import.err, ::testing::Not(HasSubstr("trace")));
    EXPECT_THAT(import.err, HasSubstr(".xlsx file"));
  }
}

}  // namespace import_command_test
}  // namespace vgsim
