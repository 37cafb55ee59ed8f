// Which parts go into which places. The facts are those of datasheets and of the servers' makers:
// modules go into boards, cards into slots that are wide, long and strong enough.

#include "topology/catalog/part_fit.hpp"

#include <gmock/gmock.h>

#include "tests/support/described_host.hpp"

namespace vgsim::topology {
namespace part_fit_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Refusal {
  std::string text;
  std::string pointer;
  std::string expected;
  std::vector<std::string> near;
};

/// The first error of a host; nothing where it is built.
std::optional<Refusal> refusal(const std::string& json) {
  Topology topology;
  input::Diagnostics diagnostics;
  test::add_described_host(topology, "esx01", json, diagnostics);
  if (!diagnostics.has_errors()) return std::nullopt;
  const input::Diagnostic first = diagnostics.items().front();
  return Refusal{first.message, first.pointer, first.expected, first.suggestions};
}

std::string host_of(const std::string& server, const std::string& gpus) {
  return "{\"server\": \"" + server + "\", \"gpus\": \"" + gpus + "\"}";
}

TEST(PartFit, RefusesGpusThatDoNotFit) {
  const std::vector<std::array<const char*, 4>> cases = {
      {"dell-r750xa", "4 x h100-sxm5-80gb", "form factor is sxm5", "h100-pcie-80gb"},
      {"dell-r750xa", "4 x b200-sxm-180gb", "form factor is sxm6", ""},
      {"dell-r750xa", "4 x gb200", "form factor is grace-blackwell", ""},
      {"dell-r750xa", "1 x gb10", "form factor is gb10", ""},
      {"dell-r750xa", "4 x rtx-4090", "3 slots wide", "rtx-2080-ti"},
      {"dell-xe9680", "8 x a100-pcie-80gb", "form factor is pcie", "a100-sxm4-40gb"},
      {"dell-xe9680", "8 x b200-sxm-180gb", "form factor is sxm6", ""},
      {"dell-xe8545", "4 x h100-sxm5-80gb", "form factor is sxm5", ""},
      {"dgx-spark", "1 x rtx-5090", "form factor is pcie", ""},
      {"gb200-tray", "4 x gh200-96gb", "form factor is grace-hopper", "gb200"},
      {"dell-r740", "3 x h100-pcie-80gb", "350 W", ""},
      {"dell-r770", "2 x rtx-5090", "oversize", "rtx-2080-ti"}};
  for (const auto& [server, gpus, why, near] : cases) {
    const auto refused = refusal(host_of(server, gpus));
    ASSERT_TRUE(refused) << server << " " << gpus;
    EXPECT_THAT(refused->text, HasSubstr(why)) << server << " " << gpus;
    EXPECT_EQ(refused->pointer, "/gpus");
    EXPECT_THAT(refused->expected, HasSubstr("one of: "));
    if (*near != '\0') {
      EXPECT_THAT(refused->near, ::testing::Contains(near)) << server;
    }
    for (const std::string& other : refused->near) {
      EXPECT_FALSE(refusal(host_of(server, "1 x " + other))) << server << " " << other;
    }
  }
}

TEST(PartFit, TakesWhatServersWereSoldAndMeasuredWith) {
  for (const auto& [server, gpus] :
       std::vector<std::pair<const char*, const char*>>{{"dell-r750xa", "4 x l40s"},
                                                        {"dell-r750xa", "2 x h100-pcie-80gb"},
                                                        {"dell-xe9680", "8 x a100-sxm4-80gb"},
                                                        {"dell-xe9680", "8 x h200-sxm5-141gb"},
                                                        {"dell-dss8440", "8 x rtx-2080-ti"},
                                                        {"dell-r740", "1 x t4"},
                                                        {"dgx-1-v100", "8 x p100-sxm2-16gb"},
                                                        {"generic-1gpu", "1 x h100-sxm5-80gb"}}) {
    const auto refused = refusal(host_of(server, gpus));
    EXPECT_FALSE(refused) << server << " " << gpus << ": " << (refused ? refused->text : "");
  }
}

TEST(PartFit, BridgesConnectOnlyCards) {
  for (const auto& [id, gpu] : test::library().catalog->gpus) {
    if (!supports_nvlink_bridges(gpu)) continue;
    EXPECT_EQ(gpu.form_factor, kPcieCard) << id;
  }
  const auto& gpus = test::library().catalog->gpus;
  EXPECT_TRUE(supports_nvlink_bridges(gpus.at("h100-nvl-94gb")));
  EXPECT_TRUE(supports_nvlink_bridges(gpus.at("a40")));
  EXPECT_FALSE(supports_nvlink_bridges(gpus.at("l40s"))) << "it has no NVLink";
  EXPECT_FALSE(supports_nvlink_bridges(gpus.at("h100-sxm5-80gb")))
      << "its NVLinks end in the board";

  const auto refused = refusal(R"({"server": {"cpu": "2 x intel-sapphire-rapids",
      "gpu_slots": ["2 x gen5 x16 on socket0"]},
    "gpus": "2 x h100-sxm5-80gb", "nvlink_bridges": [[0, 1]]})");
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->text, HasSubstr("sxm5"));

  const auto across = refusal(R"({"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                                  "nvlink_bridges": [[1, 2]]})");
  ASSERT_TRUE(across);
  EXPECT_EQ(across->pointer, "/nvlink_bridges/0");
  EXPECT_EQ(across->expected, "one of: [0, 1], [2, 3]");
}

TEST(PartFit, NicsFitSlotsOfTheirFormFactor) {
  const std::string dpu = R"("nic": "bluefield-3-400g")";
  const std::string server = R"({"server": "dell-xe9680", "nics": {)";
  const auto refused = refusal(server + R"("a": {)" + dpu + R"(, "slot": "ocp"}}})");
  ASSERT_TRUE(refused) << "a PCIe card in a slot of OCP 3.0";
  EXPECT_EQ(refused->pointer, "/nics/a/slot");
  EXPECT_THAT(refused->expected, HasSubstr("slot9"));
  EXPECT_THAT(refused->expected, Not(HasSubstr("ocp")));
  EXPECT_FALSE(refusal(server + R"("a": {"nic": "connectx-7-ndr-400g", "slot": "ocp"}}})"));
  EXPECT_FALSE(refusal(server + R"("a": {)" + dpu + R"(, "slot": "slot9"}}})"));
  const auto many = [&](int count) {
    std::string nics;
    for (int n = 0; n < count; ++n) {
      nics += (n > 0 ? ", \"n" : "\"n") + std::to_string(n) + "\": {" + dpu + "}";
    }
    return refusal(server + nics + "}}");
  };
  EXPECT_FALSE(many(10)) << "it has ten PCIe slots";
  const auto full = many(11);
  ASSERT_TRUE(full) << "the eleventh is of OCP 3.0";
  EXPECT_THAT(full->text, HasSubstr("that takes"));
  EXPECT_TRUE(refusal(R"({"server": "dell-r750xa", "nics": {"a": {"nic": "efa-v2-100g"}}})"))
      << "an adapter of one cloud";
}

TEST(PartFit, UnknownGenerationsOfPcieAreErrors) {
  const auto described = [](const std::string& slots) {
    return R"({"server": {"cpu": "2 x intel-sapphire-rapids", "gpu_slots": [")" + slots +
           R"("]}, "gpus": "1 x l40s"})";
  };
  for (const char* generation : {"gen1", "gen2", "gen8", "gen9"}) {
    const auto refused = refusal(described(std::string(generation) + " x16 on socket0"));
    ASSERT_TRUE(refused) << generation;
    EXPECT_THAT(refused->text, HasSubstr("is not catalogued"));
    EXPECT_THAT(refused->expected, HasSubstr("gen5"));
    EXPECT_EQ(refused->pointer, "/server/gpu_slots/0");
  }
  for (const char* generation : {"gen3", "gen6", "gen7"}) {
    EXPECT_FALSE(refusal(described(std::string(generation) + " x16 on socket0"))) << generation;
  }
}

TEST(PartFit, TheSlotBoundsWhatANicCarries) {
  const Catalog& catalog = *test::library().catalog;
  const NicModel& fast = catalog.nics.at("connectx-7-ndr-400g");
  const auto& slots = catalog.servers.at("dell-r750xa").nic_slots;
  // Gen4 x16: 16 GT/s x 16 x 128/130 / 8, of which 84 % is left to payload.
  const double gen4 = 16e9 * 16 * 128 / 130 / 8 * 0.84;
  EXPECT_NEAR(static_cast<double>(rate_in_slot(fast, slots.at("slot1"), catalog).count()), gen4,
              gen4 * 1e-6);
  EXPECT_LT(rate_in_slot(fast, slots.at("slot1"), catalog), fast.port_rate.value);
}

}  // namespace part_fit_test
}  // namespace vgsim::topology
