// Hosts of scenarios and servers of the catalogue are drawn as imported ones are.

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace show_command_test {

using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

class ShowCommand : public testing::Test {
 protected:
  Ran show(const std::string& arguments) { return run_program(scratch_, "show " + arguments); }

  /// The row of the matrix of path classes that begins with a name, its cells apart.
  static std::vector<std::string> row(const std::string& text, const std::string& name) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream cells(line);
      std::vector<std::string> row;
      for (std::string cell; cells >> cell;) row.push_back(cell);
      const bool is_row = row.size() > 2 && std::find(row.begin(), row.end(), "X") != row.end();
      if (is_row && row.front() == name) return row;
    }
    return {};
  }

  Scratch scratch_;
};

TEST_F(ShowCommand, DrawsAServerOfTheCatalogue) {
  const Ran ran = show("dell-xe9680");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Dell PowerEdge XE9680"));
  EXPECT_THAT(ran.out, HasSubstr("gpu7  h100-sxm5-80gb"));
  // 18 NVLinks of each H100 to the NVSwitches, as in nvidia-smi topo -m.
  const auto gpu0 = row(ran.out, "GPU0");
  ASSERT_GE(gpu0.size(), 9U);
  EXPECT_EQ(std::count(gpu0.begin(), gpu0.end(), "NV18"), 7);
  EXPECT_THAT(ran.out, HasSubstr("slots for NICs"));
  EXPECT_EQ(show("xe9680").out, ran.out);
}

TEST_F(ShowCommand, CountsTheLanesOfAServersCpus) {
  const std::string text = show("dell-r770").out;
  EXPECT_THAT(text, HasSubstr("socket0    48 of 96, 48 left"));
  EXPECT_THAT(text, HasSubstr("for drives at the front"));
  EXPECT_THAT(show("dgx-1-v100").out, HasSubstr("44 of 40: not all at once"));
}

TEST_F(ShowCommand, DrawsAServerThatTheScenarioDescribes) {
  const std::string file = scratch_.write("s.json", R"({"name": "s",
        "hosts": {"esx01": {
          "server": {"name": "HPE ProLiant DL380a Gen12", "cpu": "2 x intel-granite-rapids",
                     "pcie_switches": {"sw0": "gen5 x16 on socket1"},
                     "gpu_slots": ["2 x gen5 x16 on socket0", "2 x gen5 x16 on sw0"],
                     "nic_slots": {"slot21": "gen5 x16 on sw0"}},
          "gpus": "4 x l40s",
          "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "slot": "slot21"}}}},
        "job": {"network": "bert-large", "batch_per_gpu": 8, "precision": "fp16"}})");
  const Ran ran = show(file);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("esx01  HPE ProLiant DL380a Gen12"));
  EXPECT_THAT(ran.out, HasSubstr("vmnic4  connectx-6-dx-100g"));
  EXPECT_THAT(row(ran.out, "GPU2"),
              testing::ElementsAre("GPU2", "SYS", "SYS", "X", "PIX", "PIX", "N/A", "1"));
}

TEST_F(ShowCommand, ShowsHostsAndVmsOutsideOfTheJob) {
  const std::string file = scratch_.write("s.json", R"({"name": "s",
        "hosts": {"esx[01-03]": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                                 "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}},
                  "esx04": {"server": "generic-1gpu", "gpus": "1 x l40s"}},
        "vms": {"train[01-03]": {"host": "esx[01-03]", "gpus": {"mode": "passthrough"},
                                 "nics": {"vmnic4": "sriov"}},
                "user": {"host": "esx04", "gpus": {"mode": "vgpu", "profile": "nvidia_l40s-48c"}}},
        "job": {"network": "bert-large", "vms": "train*"},
        "layouts": {"a": {}, "b": {"vms": {"train[01-03]": {"guest_topology": "topo_file"}}}}})");
  const Ran ran = show(file);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  // Each different host once, though two layouts have it.
  const std::string first = "esx01, esx02, esx03  Dell PowerEdge R750xa";
  ASSERT_THAT(ran.out, HasSubstr(first));
  EXPECT_EQ(ran.out.find(first, ran.out.find(first) + 1), std::string::npos);
  EXPECT_THAT(ran.out, HasSubstr("esx04  Generic two-socket server, one GPU"));
  EXPECT_THAT(ran.out, HasSubstr("vmnic4  connectx-6-dx-100g"));
  EXPECT_THAT(ran.out, HasSubstr("VMs of layout b"));
  EXPECT_THAT(ran.out, HasSubstr("train01, train02, train03 on esx01, esx02, esx03: gpu0, gpu1,"));
  EXPECT_THAT(ran.out, HasSubstr("vmnic4 sriov"));
  EXPECT_THAT(ran.out, HasSubstr("gpu0 as vGPU (nvidia_l40s-48c)"));
  const Ran one = show(file + " --layout a");
  EXPECT_THAT(one.out, Not(HasSubstr("VMs of layout b")));
}

TEST_F(ShowCommand, DrawsWhatAnImportedTopologyBecomes) {
  const std::string scenario = VGSIM_SOURCE_DIR "/configs/scenarios/imported-dgx-a100.json";
  const Ran ran = show(scenario);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ran dump = show(VGSIM_SOURCE_DIR "/configs/scenarios/dumps/dgx-a100-class.xml");
  for (const char* gpu : {"GPU0", "GPU3", "GPU7"}) {
    const auto built = row(ran.out, gpu);
    const auto told = row(dump.out, gpu);
    ASSERT_GE(told.size(), 17U);
    ASSERT_GE(built.size(), 17U);
    EXPECT_TRUE(std::equal(told.begin(), told.begin() + 17, built.begin())) << gpu;
  }
}

TEST_F(ShowCommand, NamesTheNearestServer) {
  const Ran ran = show("dell-xe968");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("is neither a file nor a server"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"dell-xe9680\""));
  EXPECT_THAT(show("h100").err, HasSubstr("may mean several servers"));
}

}  // namespace show_command_test
}  // namespace vgsim
