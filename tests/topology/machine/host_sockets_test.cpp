#include "topology/machine/host_sockets.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace host_sockets_test {

using namespace vgsim::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A NUMA node of these attributes with one GPU, in the PCI domain of that digit.
std::string node(const std::string& attributes, int domain = 0) {
  return "<cpu " + attributes + "><pci busid=\"000" + std::to_string(domain) +
         ":01:00.0\" class=\"0x030200\"/></cpu>\n";
}

std::string numbered(int number) {
  return node("numaid=\"" + std::to_string(number) + "\"", number);
}

TEST(HostSockets, OneOrTwoNodesAreSockets) {
  const Imported one = import_text(system_of(node("")));
  EXPECT_EQ(one.host().sockets.size(), 1u);
  const Imported two = import_text(system_of(numbered(1) + numbered(0)));
  ASSERT_EQ(two.host().sockets.size(), 2u);
  EXPECT_EQ(two.gpu_path(0, 1), PathClass::kSys);
  EXPECT_FALSE(two.assumes("two sockets"));
}

TEST(HostSockets, TheUnknownNodeIsTheFirst) {
  const Imported result = import_text(system_of("<cpu numaid=\"-1\"/>" + numbered(0)));
  EXPECT_EQ(result.host().sockets.size(), 1u);
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("W506")));
}

TEST(HostSockets, OddNodesOfADgxAreTwoSockets) {
  const Imported result =
      import_text(system_of(numbered(3) + numbered(1) + numbered(7) + numbered(5)));
  EXPECT_EQ(result.host().sockets.size(), 4u);
  EXPECT_TRUE(result.assumes("taken as two sockets, with nodes 1, 3 and 5, 7"));
  const auto& resources = result.topology.resources;
  const auto links = std::count_if(resources.begin(), resources.end(), [](const LinkResource& r) {
    return r.kind == LinkKind::kSocketLink;
  });
  EXPECT_EQ(links, 2);
}

TEST(HostSockets, ASocketWithFewerNodesIsPadded) {
  const Imported result =
      import_text(system_of(numbered(0) + numbered(5) + numbered(6) + numbered(7)));
  EXPECT_EQ(result.host().sockets.size(), 6u);
  EXPECT_TRUE(result.assumes("with nodes 0 and 5, 6, 7"));
  const Imported shifted = import_text(system_of(numbered(5) + numbered(6) + numbered(7)));
  EXPECT_EQ(shifted.host().sockets.size(), 4u);
  EXPECT_TRUE(shifted.assumes("with nodes 5, 6 and 7"));
}

TEST(HostSockets, NodesOfASocketShareItsMemory) {
  const Imported result =
      import_text(system_of(numbered(0) + numbered(1) + numbered(2) + numbered(3)));
  for (const LinkResource& resource : result.topology.resources) {
    if (resource.kind == LinkKind::kMemoryBus) {
      EXPECT_EQ(resource.line_rate, 100_GBps);
    }
  }
}

TEST(HostSockets, TheCpuIsTheOneWithThatFamilyAndModel) {
  const auto cpu_of = [](const std::string& attributes) {
    return import_text(system_of(node(attributes))).host().cpu_model;
  };
  EXPECT_EQ(cpu_of("vendor=\"AuthenticAMD\" familyid=\"143\" modelid=\"49\""), "amd-rome");
  EXPECT_EQ(cpu_of("vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"17\""), "amd-milan");
  EXPECT_EQ(cpu_of("vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"207\""), "intel-icelake");
  EXPECT_EQ(cpu_of("vendor=\"GenuineIntel\""), "intel-icelake");
}

TEST(HostSockets, AnotherCpuIsAnAssumption) {
  const Imported near =
      import_text(system_of(node("vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"207\"")));
  EXPECT_TRUE(near.assumes(
      "CPU GenuineIntel family 6 model 207: taken as intel-icelake, the nearest of the catalogue"));
  const Imported exact =
      import_text(system_of(node("vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"106\"")));
  EXPECT_FALSE(exact.assumes("CPU"));
}

TEST(HostSockets, SharedFamilyAndModelIsAnAssumption) {
  Catalog catalog = small_catalog();
  catalog.cpus["intel-other"] = catalog.cpus.at("intel-icelake");
  catalog.cpus["intel-other"].id = "intel-other";
  const Imported result = import_with(
      std::move(catalog), input::make_source("test.xml", one_cpu("<pci busid=\"0000:01:00.0\" "
                                                                 "class=\"0x030200\"/>")));
  EXPECT_TRUE(result.assumes("is any of intel-icelake, intel-other; taken as intel-icelake"));
}

TEST(HostSockets, PowerCpusAreKnownByTheirArchitectureOrName) {
  const auto cpu_of = [](const std::string& name) {
    inventory::Inventory host;
    host.numa_nodes.emplace_back().arch = {"ppc64", "host.json"};
    host.numa_nodes.back().cpu_name = {name, "host.json"};
    Catalog catalog = small_catalog();
    for (const char* id : {"ibm-power8", "ibm-power9"}) catalog.cpus[id].id = id;
    const HostCompletion completion;
    const inventory::HostFile file{input::make_source("host.json", "")};
    inventory::HostBuild build{host, completion, catalog, file};
    return plan_sockets(build).cpu->id;
  };
  EXPECT_EQ(cpu_of("POWER8NVL (raw), altivec supported"), "ibm-power8");
  EXPECT_EQ(cpu_of("POWER9, altivec supported"), "ibm-power9");
  EXPECT_EQ(cpu_of(""), "ibm-power8") << "the first of that architecture";
}

}  // namespace host_sockets_test
}  // namespace vgsim::topology::testing
