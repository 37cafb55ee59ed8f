// Where NICs are put: a stated place is kept, whatever else a host has, and ports of one card share
// its link.

#include "topology/hosts/nic_slots.hpp"

#include <gmock/gmock.h>

#include "tests/support/described_host.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/hosts/host_parts.hpp"

namespace vgsim::topology {
namespace nic_slots_test {

using ::testing::HasSubstr;

input::Named<NicSpec> nic(const std::string& name, const std::string& model,
                          std::optional<std::string> near = {},
                          std::optional<std::string> slot = {}) {
  input::Named<NicSpec> made;
  made.name = name;
  made.value.nic.value = model;
  if (near) made.value.near = input::At<std::string>{*near, {}};
  if (slot) made.value.slot = input::At<std::string>{*slot, {}};
  return made;
}

/// By name the slot; empty where not all have one.
std::map<std::string, std::string> slots_of(const HostParts& host,
                                            const std::vector<input::Named<NicSpec>>& nics) {
  std::map<std::string, std::string> slots;
  const auto places = places_of(host, nics, *test::library().catalog);
  if (!places) return slots;
  for (const auto& [name, place] : *places) slots.emplace(name, place.slot);
  return slots;
}

/// A fast NIC that some slot takes: clouds have their own.
std::string model_for(const ServerModel& server) {
  const auto& form = server.nic_slots.begin()->second.form_factor;
  if (form == "aws") return "efa-v2-100g";
  if (form == "gcp") return "gvnic-200g-tcpx";
  return form == "gb10" ? "connectx-7-gb10-100g" : "connectx-7-ndr-200g";
}

TEST(NicSlots, AnIdleNicDisplacesNoOther) {
  std::size_t compared = 0;
  for (const auto& [id, server] : test::library().catalog->servers) {
    const HostParts host{server, nullptr, server.gpu_slots.size()};
    const std::string model = model_for(server);
    std::vector<input::Named<NicSpec>> nics;
    for (std::size_t g = 0;
         g < server.gpu_slots.size() && nics.size() + 1 < server.nic_slots.size(); ++g) {
      nics.push_back(nic("mlx5_" + std::to_string(g), model, "gpu" + std::to_string(g)));
    }
    const auto before = slots_of(host, nics);
    if (nics.empty() || before.empty()) continue;
    for (const char* idle : {"idle0", "zz"}) {
      auto more = nics;
      more.insert(more.begin(), nic(idle, model));
      auto after = slots_of(host, more);
      if (after.empty()) continue;  // no slot is left that takes it
      after.erase(idle);
      EXPECT_EQ(after, before) << id;
      ++compared;
    }
  }
  EXPECT_GT(compared, 60U);
}

/// Also where no free slot is as fast as the port: an OCP slot of 8 lanes beside slots of 16.
TEST(NicSlots, ANicGoesToTheFastestOfEquallyNearSlots) {
  const auto& catalog = *test::library().catalog;
  const ServerModel& server = catalog.servers.at("dell-r760xa");
  const NicModel& model = catalog.nics.at("connectx-8-800g");
  const auto slot = slots_of({server, nullptr, 4}, {nic("vmnic4", "connectx-8-800g")}).at("vmnic4");
  const auto rate = rate_in_slot(model, server.nic_slots.at(slot), catalog);
  EXPECT_LT(rate, model.port_rate.value);
  for (const auto& [name, other] : server.nic_slots) {
    if (incompatibility(model, other)) continue;
    EXPECT_GE(rate, rate_in_slot(model, other, catalog)) << name;
  }
}

TEST(NicSlots, OfNicsWithoutAPlaceTheFastestChoosesFirst) {
  const HostParts host{test::library().catalog->servers.at("dell-r750xa"), nullptr, 4};
  const auto alone = slots_of(host, {nic("vmnic4", "connectx-6-dx-200g")});
  const auto beside =
      slots_of(host, {nic("idle0", "connectx-6-lx-25g"), nic("vmnic4", "connectx-6-dx-200g")});
  EXPECT_EQ(beside.at("vmnic4"), alone.at("vmnic4"));
}

TEST(NicSlots, ASlotThatIsNamedComesBeforeOneThatIsNear) {
  const HostParts host{test::library().catalog->servers.at("dell-xe9680"), nullptr, 8};
  const std::string model = "connectx-7-ndr-400g";
  const auto slots = slots_of(host, {nic("a", model, "gpu0"), nic("b", model, {}, "nic0")});
  EXPECT_EQ(slots.at("b"), "nic0");
  EXPECT_EQ(slots.at("a"), "nic1");
}

struct Built {
  Topology topology;
  input::Diagnostics diagnostics;

  explicit Built(const std::string& json) {
    test::add_described_host(topology, "esx01", json, diagnostics);
  }

  /// What the link of a NIC takes from, towards the host.
  LinkResourceIndex link_of(std::size_t n) const {
    const Edge up = topology.edges_from(topology.hosts.at(0).nics.at(n).vertex).front();
    return *topology.link(up).resource;
  }
};

TEST(NicSlots, PortsOfOneCardShareItsLink) {
  const std::string start = R"({"server": "dell-r750xa", "nics": {)";
  const std::string port = R"({"nic": "connectx-6-dx-100g", "slot": "slot1"})";
  const Built two(start + "\"p0\": " + port + ", \"p1\": " + port + "}}");
  ASSERT_FALSE(two.diagnostics.has_errors()) << input::render(two.diagnostics);
  EXPECT_EQ(two.link_of(0), two.link_of(1));
  const Built three(start + "\"p0\": " + port + ", \"p1\": " + port + ", \"p2\": " + port + "}}");
  EXPECT_TRUE(three.diagnostics.has_errors()) << "the card has two ports";
  const Built other(start + "\"p0\": " + port +
                    R"(, "p1": {"nic": "connectx-7-ndr-200g", "slot": "slot1"}}})");
  EXPECT_TRUE(other.diagnostics.has_errors()) << "another card";
}

TEST(NicSlots, ANicOfTheSameNameIsAnError) {
  // The card of an A100X has a NIC, gpu0-nic.
  const Built built(R"({"server": "dell-r750xa", "gpus": "1 x a100x-80gb",
                        "nics": {"gpu0-nic": {"nic": "connectx-6-dx-100g"}}})");
  ASSERT_TRUE(built.diagnostics.has_errors());
  EXPECT_THAT(input::render(built.diagnostics), HasSubstr("has a NIC \"gpu0-nic\" already"));
}

constexpr const char* kDump = R"(<system version="1">
  <cpu numaid="0" affinity="ffff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:17:00.0" class="0x030200" vendor="0x10de" device="0x2331"
         link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="90" rank="0" gdr="1"/></pci>
    <pci busid="0000:31:00.0" class="0x020700" vendor="0x15b3" device="0x101b"
         link_speed="16.0 GT/s PCIe" link_width="16">
      <nic><net name="mlx5_0" dev="0" speed="200000" port="1" gdr="1"/></nic></pci>
  </cpu></system>)";

/// A second NIC with the name of an imported one would be elsewhere, which is never intended.
TEST(NicSlots, AnImportedNicIsChangedByItsBusId) {
  const auto build = [](const std::string& more) {
    Topology topology;
    input::Diagnostics diagnostics;
    const auto value =
        input::read_json(
            input::make_source("h.json", R"({"topology": "nccl:h.xml", )" + more + "}"))
            .value();
    build_host(
        topology, *test::library().catalog, "esx01", host_decoder().read(value, diagnostics),
        value.origin(), [](const std::string&) { return input::make_source("h.xml", kDump); },
        diagnostics);
    return std::pair(topology.hosts.at(0).nics, diagnostics);
  };
  const auto [before, none] = build(R"("acs": false)");
  ASSERT_EQ(before.size(), 1U) << input::render(none);
  const auto [twice, wrong] = build(R"("nics": {"mlx5_0": {"nic": "connectx-7-ndr-400g"}})");
  ASSERT_TRUE(wrong.has_errors());
  EXPECT_EQ(wrong.items().front().pointer, "/nics/mlx5_0");
  EXPECT_THAT(wrong.items().front().expected, HasSubstr("\"devices\": {\"0000:31:00.0\""));
  const auto [changed, fine] =
      build(R"("devices": {"0000:31:00.0": {"nic": "connectx-7-ndr-400g"}})");
  ASSERT_FALSE(fine.has_errors()) << input::render(fine);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed.front().port_rate, 2 * before.front().port_rate.count() * BytesPerSecond{1});
}

}  // namespace nic_slots_test
}  // namespace vgsim::topology
