// Lists of hosts contain the model of a machine but not its devices.

#include "tools/cli/import/known_server.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "models/scenario/read/library.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/tools/program.hpp"

namespace vgsim {
namespace known_server_test {

using testing::HasSubstr;
using testing::Not;

std::string known_as(const std::string& model) {
  topology::inventory::Inventory host;
  host.model = {model, "vHost.csv"};
  const auto* server = cli::known_server(host, *test::library().catalog);
  return server == nullptr ? "" : server->id;
}

TEST(KnownServer, NamesOfVCenterAndRvToolsFindTheEntry) {
  EXPECT_EQ(known_as("PowerEdge XE9680"), "dell-xe9680");
  EXPECT_EQ(known_as("PowerEdge R770"), "dell-r770");
  EXPECT_EQ(known_as("PowerEdge XE9680L"), "dell-xe9680l");
  EXPECT_EQ(known_as("PowerEdge XE9640"), "dell-xe9640");
  EXPECT_EQ(known_as("ThinkSystem SR650 V3"), "lenovo-sr650-v3");
  EXPECT_EQ(known_as("ThinkSystem SR650a V4"), "lenovo-sr650a-v4");
  EXPECT_EQ(known_as("ThinkSystem SR650 V3 -[7D76CTO1WW]-"), "lenovo-sr650-v3");
  EXPECT_EQ(known_as("ProLiant XL675d Gen10 Plus"), "hpe-xl675d");
  EXPECT_EQ(known_as("SYS-221GE-NR"), "supermicro-221ge");
  EXPECT_EQ(known_as("ThinkSystem SR675 V3"), "lenovo-sr675-v3");
}

/// Another generation or size is another machine, and one of several configurations is
/// ambiguous.
TEST(KnownServer, ASimilarNameIsAnotherMachine) {
  EXPECT_EQ(known_as("PowerEdge XE9680XL"), "");
  EXPECT_EQ(known_as("ProLiant XL675d Gen10"), "");
  EXPECT_EQ(known_as("ThinkSystem SR650"), "");
  EXPECT_EQ(known_as("PowerEdge XE9645"), "");
  EXPECT_EQ(known_as("PowerEdge"), "");
  EXPECT_EQ(known_as("PowerEdge C4140"), "");
  EXPECT_EQ(known_as(""), "");
}

/// No alias may make a server's own name ambiguous.
TEST(KnownServer, EachServerIsFoundByItsOwnName) {
  for (const auto& [name, server] : test::library().catalog->servers) {
    EXPECT_EQ(known_as(name), name);
    EXPECT_EQ(known_as(server.name), name);
  }
}

constexpr const char* kHosts =
    "Host,Vendor,Model,CPU Model,# CPU,# Cores,# Memory,ESX Version\n"
    "esx01.lab,Dell Inc.,PowerEdge XE9680,Intel(R) Xeon(R) Platinum 8468,2,96,2096640,"
    "VMware ESXi 8.0.3 build-24022510\n"
    "esx02.lab,Dell Inc.,PowerEdge Unheard,Intel(R) Xeon(R) Platinum 8468,2,96,2096640,"
    "VMware ESXi 8.0.3 build-24022510\n";

TEST(KnownServer, ReplacesAHostOfRvToolsInTheScenario) {
  const test::Scratch scratch;
  const std::string list = scratch.write("vHost.csv", kHosts);
  const test::Ran ran = test::run_program(scratch, "import " + list + " -o " + scratch.file("in/"));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the catalogue's dell-xe9680"));
  EXPECT_THAT(ran.err, HasSubstr("8 x h100-sxm5-80gb"));
  EXPECT_THAT(ran.err, Not(HasSubstr("esx02.lab: the catalogue")));
  auto scenario = nlohmann::json::parse(test::read_file(scratch.file("in/scenario.json")));
  EXPECT_EQ(scenario["hosts"]["esx01.lab"], nlohmann::json({{"server", "dell-xe9680"}}));
  EXPECT_EQ(scenario["hosts"]["esx02.lab"], nlohmann::json({{"topology", "esx02.lab.json"}}));

  scenario["hosts"].erase("esx02.lab");
  scenario.erase("fabric");
  scenario["job"] = {{"network", "bert-large"}, {"batch_per_gpu", 8}, {"precision", "fp16"}};
  const test::Ran run =
      test::run_program(scratch, "validate " + scratch.write("one.json", scenario.dump()));
  EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
}

TEST(KnownServer, IsFoundInAScenarioByTheSameName) {
  const test::Scratch scratch;
  const std::string scenario = scratch.write("s.json", R"({"name": "s",
      "hosts": {"esx01": {"server": "PowerEdge XE9680"}},
      "job": {"network": "bert-large", "batch_per_gpu": 8, "precision": "fp16"}})");
  const test::Ran ran = test::run_program(scratch, "show " + scenario);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Dell PowerEdge XE9680"));
}

}  // namespace known_server_test
}  // namespace vgsim
