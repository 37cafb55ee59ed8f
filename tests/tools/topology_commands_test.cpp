#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"
#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim {
namespace topology_commands_test {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTopo =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tmlx5_0\tmlx5_1\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV12\tNV12\tNV12\tPIX\tSYS\t0-15\t0\n"
    "GPU1\tNV12\t X \tNV12\tNV12\tPIX\tSYS\t0-15\t0\n"
    "GPU2\tNV12\tNV12\t X \tNV12\tSYS\tPIX\t16-31\t1\n"
    "GPU3\tNV12\tNV12\tNV12\t X \tSYS\tPIX\t16-31\t1\n"
    "mlx5_0\tPIX\tPIX\tSYS\tSYS\t X \tSYS\t\t\n"
    "mlx5_1\tSYS\tSYS\tPIX\tPIX\tSYS\t X \t\t\n";

/// Two GPUs of the host (buses 12 and 13 are 18 and 19 in a .vmx) and a virtual function.
constexpr const char* kVmx =
    ".encoding = \"UTF-8\"\n"
    "displayName = \"train01\"\n"
    "numvcpus = \"16\"\n"
    "memSize = \"131072\"\n"
    "sched.mem.pin = \"TRUE\"\n"
    "virtualHW.version = \"20\"\n"
    "firmware = \"efi\"\n"
    "guestOS = \"ubuntu-64\"\n"
    "pciPassthru.use64bitMMIO = \"TRUE\"\n"
    "pciPassthru.64bitMMIOSizeGB = \"512\"\n"
    "pciPassthru.allowP2P = \"TRUE\"\n"
    "pciPassthru.RelaxACSforP2P = \"TRUE\"\n"
    "pciPassthru0.present = \"TRUE\"\n"
    "pciPassthru0.id = \"00000:018:00.0\"\n"
    "pciPassthru0.deviceId = \"0x20b2\"\n"
    "pciPassthru0.vendorId = \"0x10de\"\n"
    "pciPassthru1.present = \"TRUE\"\n"
    "pciPassthru1.id = \"00000:019:00.0\"\n"
    "pciPassthru1.deviceId = \"0x20b2\"\n"
    "pciPassthru1.vendorId = \"0x10de\"\n"
    "pciPassthru2.present = \"TRUE\"\n"
    "pciPassthru2.id = \"00000:024:00.0\"\n"
    "pciPassthru2.deviceId = \"0x101b\"\n"
    "pciPassthru2.vendorId = \"0x15b3\"\n";

class TopologyCommands : public ::testing::Test {
 protected:
  std::string dump() const {
    return scratch_.write("host.xml", topology::inventory::two_socket_dump());
  }
  test::Ran run(const std::string& arguments) const {
    return test::run_program(scratch_, arguments);
  }

  test::Scratch scratch_;
};

TEST_F(TopologyCommands, ImportJoinsTheFilesOfAHostAndRunsTheResult) {
  const std::string files =
      dump() + " " + scratch_.write("topo.txt", kTopo) + " " + scratch_.write("train01.vmx", kVmx);
  const test::Ran import = run("import " + files + " -o " + scratch_.file("host.json") +
                               " --scenario " + scratch_.file("scenario.json"));
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("GPUs: 4 x a100-sxm4-80gb"));
  EXPECT_THAT(import.err, HasSubstr("NVLinks: 12 between 6 pairs"));
  EXPECT_THAT(import.err, Not(HasSubstr("warning")));
  const json host = json::parse(test::read_file(scratch_.file("host.json")));
  EXPECT_EQ(host["format"], "vgsim.topology/1");
  json scenario = json::parse(test::read_file(scratch_.file("scenario.json")));
  const json& vm = scenario["vms"]["train01"];
  EXPECT_EQ(vm["gpus"]["devices"], json::array({"gpu0", "gpu1"}));
  EXPECT_EQ(vm["nics"]["mlx5_0"], "passthrough");
  EXPECT_EQ(vm["vcpus"], 16);
  EXPECT_EQ(vm["allow_p2p"], true);
  EXPECT_EQ(vm["memory_reserved"], true);
  scenario["job"] = {{"collective", "all_reduce"}, {"sizes", "1 MiB .. 1 GiB x32"}};
  const test::Ran ran = run("run " + scratch_.write("job.json", scenario.dump()));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("bus bandwidth"));
}

TEST_F(TopologyCommands, AnImportedHostIsTheHostThatItsDumpWas) {
  ASSERT_EQ(run("import " + dump() + " -o " + scratch_.file("host.json")).exit_code, 0);
  const auto times = [&](const std::string& topology) {
    const json scenario = {{"name", "s"},
                           {"hosts", {{"h", {{"topology", topology}}}}},
                           {"job", {{"collective", "all_reduce"}, {"sizes", "1 KiB .. 1 GiB x4"}}}};
    const test::Ran ran =
        run("run --format json " + scratch_.write("scenario.json", scenario.dump()));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return json::parse(ran.out)["layouts"]["s"]["collective"];
  };
  EXPECT_EQ(times("host.json"), times("nccl:host.xml"));
}

TEST_F(TopologyCommands, ImportWritesNothingWhereAFileIsOfAnotherMachine) {
  std::string other = topology::inventory::two_socket_dump();
  for (std::size_t at = 0; (at = other.find("0000:", at)) != other.npos; ++at) {
    other.replace(at, 5, "0007:");
  }
  const test::Ran import = run("import " + dump() + " " + scratch_.write("other.xml", other) +
                               " -o " + scratch_.file("host.json"));
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_THAT(import.err, HasSubstr("E537"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("host.json")));
}

TEST_F(TopologyCommands, ImportTellsAllFilesThatItCannotRead) {
  const test::Ran import = run("import " + scratch_.write("a.txt", "hello") + " " +
                               scratch_.write("b.xml", "<system version=\"1\"><cpu></system>") +
                               " " + scratch_.file("missing"));
  EXPECT_EQ(import.exit_code, 2);
  for (const char* part : {"a.txt", "b.xml", "missing", "E536", "E501", "E111"}) {
    EXPECT_THAT(import.err, HasSubstr(part));
  }
}

TEST_F(TopologyCommands, AnUnknownKindIsAnsweredWithTheNearest) {
  const test::Ran import = run("import --kind nccl-xlm " + dump());
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_THAT(import.err, HasSubstr("did you mean \"nccl-xml\""));
}

TEST_F(TopologyCommands, ShowDrawsTheTreeAndTheMatrixOfNvidiaSmi) {
  const test::Ran show = run("show " + dump());
  ASSERT_EQ(show.exit_code, 0) << show.err;
  for (const char* part : {"├─ NUMA node 0", "│  └─ switch0", "gpu0  a100-sxm4-80gb  0000:12:00.0",
                           "mlx5_1", "200 Gbit/s", "12 NVLinks", "unknown"}) {
    EXPECT_THAT(show.out, HasSubstr(part));
  }
  EXPECT_THAT(show.out, HasSubstr("GPU0   X    NV12  NV12  NV12  PIX   SYS"));
}

TEST_F(TopologyCommands, ShowListsHowAHostDiffersFromTheCatalogue) {
  const test::Ran show = run("show " + dump() + " --against dgx-a100");
  ASSERT_EQ(show.exit_code, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("4 GPUs in the dump, 8 in dgx-a100"));
  EXPECT_THAT(run("show " + dump() + " --against dgx-a10").err, HasSubstr("dgx-a100"));
}

TEST_F(TopologyCommands, AnExportedDumpReadsAsTheSameHost) {
  ASSERT_EQ(run("import " + dump() + " -o " + scratch_.file("host.json")).exit_code, 0);
  const test::Ran exported =
      run("export " + scratch_.file("host.json") + " --as nccl -o " + scratch_.file("out.xml"));
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const test::Ran first = run("show " + scratch_.file("host.xml"));
  const test::Ran second = run("show " + scratch_.file("out.xml"));
  EXPECT_EQ(first.out, second.out);
}

TEST_F(TopologyCommands, EveryFormatOfExportIsWritten) {
  dump();
  for (const auto& [format, part] :
       {std::pair{"dot", "graph"}, {"graphml", "<graphml"}, {"json", "vgsim.topology/1"}}) {
    const test::Ran exported =
        run("export " + scratch_.file("host.xml") + " --as " + std::string(format));
    EXPECT_EQ(exported.exit_code, 0) << exported.err;
    EXPECT_THAT(exported.out, HasSubstr(part));
  }
}

TEST_F(TopologyCommands, TheFileForAGuestHasItsAddressesAndTheHostsSwitches) {
  dump();
  const json scenario = {
      {"name", "s"},
      {"vsphere", "8.0U3"},
      {"hosts", {{"h", {{"topology", "nccl:host.xml"}}}}},
      {"vms",
       {{"vm1",
         {{"host", "h"},
          {"gpus", {{"mode", "passthrough"}, {"devices", {"gpu0", "gpu1", "gpu2"}}}},
          {"nics", {{"mlx5_0", "passthrough"}}}}}}},
      {"job", {{"collective", "all_reduce"}, {"sizes", "1 MiB"}}}};
  const std::string path = scratch_.write("scenario.json", scenario.dump());
  const test::Ran exported =
      run("export " + path + " --vm vm1 --as nccl -o " + scratch_.file("guest.xml") +
          " --guest-bus-ids 0000:03:00.0,0000:0b:00.0,0000:13:00.0,0000:1b:00.0");
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const auto guest = topology::inventory::parsed(test::read_file(scratch_.file("guest.xml")));
  ASSERT_EQ(guest.numa_nodes.size(), 2u);
  const auto& first = guest.numa_nodes[0].devices.at(0);
  ASSERT_EQ(first.below.size(), 3u);  // the switch with two GPUs and the NIC
  EXPECT_EQ(first.below[0].bus_id, "0000:03:00.0");
  EXPECT_EQ(first.below[1].bus_id, "0000:0b:00.0");
  EXPECT_EQ(first.below[2].bus_id, "0000:1b:00.0");
  for (const auto& link : first.below[0].gpu->nvlinks) {
    EXPECT_EQ(link.target.value, topology::inventory::kHiddenNvSwitch);
    EXPECT_EQ(link.count.value, 12);
  }
  // NCCL reads it, and finds the topology of the host's own dump.
  const test::Ran nccl = run("nccl " + scratch_.file("guest.xml"));
  EXPECT_EQ(nccl.exit_code, 0) << nccl.err;
  EXPECT_EQ(run("export " + path + " --vm vm2 --as nccl").exit_code, 2);
  EXPECT_EQ(run("export " + path + " --vm vm1 --as dot").exit_code, 2);
}

TEST_F(TopologyCommands, DumpsOfSeveralHostsNeedAFolder) {
  std::string xml = "<system version=\"1\">";
  for (int host = 1; host <= 2; ++host) {
    xml += fmt::format(
        "<cpu host_hash=\"0x{0}\" numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\" "
        "familyid=\"143\" modelid=\"49\"><pci busid=\"0000:0{0}:00.0\" class=\"0x030200\" "
        "vendor=\"0x10de\" device=\"0x20b2\" link_speed=\"16 GT/s\" link_width=\"16\"><gpu "
        "dev=\"0\" "
        "sm=\"80\" rank=\"{0}\" gdr=\"1\"/></pci></cpu>",
        host);
  }
  const std::string path = scratch_.write("rack.xml", xml + "</system>");
  const test::Ran refused = run("import " + path + " -o " + scratch_.file("host.json"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("folder"));
  const test::Ran import = run("import " + path + " -o " + scratch_.file("rack") + "/");
  ASSERT_EQ(import.exit_code, 0) << import.err;
  const json scenario = json::parse(test::read_file(scratch_.file("rack/scenario.json")));
  EXPECT_EQ(scenario["hosts"].size(), 2u);
  for (const auto& [name, host] : scenario["hosts"].items()) {
    const std::string file = "rack/" + host["topology"].get<std::string>();
    EXPECT_TRUE(std::filesystem::exists(scratch_.file(file))) << file;
  }
}

}  // namespace topology_commands_test
}  // namespace vgsim
