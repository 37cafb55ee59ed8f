// Rows of tests/seeds.md that a user types: what `vgsim validate` and `vgsim run` answer.

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace seed_rows_test {

using nlohmann::json;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

json passthrough() { return json::object({{"mode", "passthrough"}}); }

/// A VM on one of two hosts, with an AllReduce of its GPUs.
json with(const std::string& gpus, const std::string& vsphere, const json& vm_gpus) {
  const json host = {{"server", "generic-sapphire-rapids-4+4"}, {"gpus", gpus}};
  return {{"name", "seed"},
          {"vsphere", vsphere},
          {"hosts", {{"e1", host}, {"e2", host}}},
          {"vms", {{"v", {{"host", "e1"}, {"nics", json::object()}, {"gpus", vm_gpus}}}}},
          {"job", {{"collective", "all_reduce"}, {"sizes", json::array({"1 MB"})}}}};
}

/// What the command line answers for the only layout.
json answer(const std::string& command, const json& scenario) {
  const test::Scratch scratch;
  const std::string file = scratch.write("seed.json", scenario.dump());
  const test::Ran ran = test::run_program(scratch, command + " " + file + " --format json");
  const json result = json::parse(ran.out, nullptr, false);
  if (result.is_discarded()) throw std::runtime_error(ran.err);
  return result["layouts"].begin().value();
}

std::set<std::string> refused_by(const json& scenario) {
  std::set<std::string> rules;
  const json layout = answer("validate", scenario);
  for (const json& warning : layout["warnings"]) {
    if (warning["verdict"] == "refused") rules.insert(warning["rule"].get<std::string>());
  }
  return rules;
}

std::map<std::string, bool> operations(const json& scenario) {
  std::map<std::string, bool> available;
  const json layout = answer("validate", scenario);
  for (const json& each : layout["operations"]) {
    available[each["operation"]] = each["available"];
  }
  return available;
}

// Row 2; F. Denneman 2023-06-06.
TEST(SeedRows, DynamicDirectPathChoosesADeviceByItsLabel) {
  json scenario = with("8 x a100-pcie-80gb", "8.0U3",
                       {{"mode", "passthrough_dynamic"}, {"count", 2}, {"label", "training"}});
  scenario["vms"]["v"].erase("host");
  EXPECT_THAT(refused_by(scenario), Contains("device-label-missing"));
  scenario["hosts"]["e2"]["gpu_labels"]["gpu[4-5]"] = "training";
  EXPECT_TRUE(refused_by(scenario).empty());
  const auto available = operations(scenario);
  EXPECT_FALSE(available.at("ha")) << "no other host has GPUs with the label";
  EXPECT_FALSE(available.at("vmotion"));
  json both = scenario;
  both["hosts"]["e1"]["gpu_labels"]["gpu*"] = "training";
  EXPECT_TRUE(operations(both).at("ha"));
  scenario["vms"]["v"]["gpus"]["count"] = 3;
  EXPECT_FALSE(refused_by(scenario).empty());
  scenario["vms"]["v"]["gpus"]["count"] = 2;
  scenario["vms"]["v"]["hardware_version"] = 15;
  EXPECT_THAT(refused_by(scenario), Contains("dynamic-passthrough-version"));
}

TEST(SeedRows, ALabelIsForDynamicDirectPathAndForGpusThatAreThere) {
  const test::Scratch scratch;
  json scenario = with("2 x a100-pcie-80gb", "8.0U3",
                       {{"mode", "vgpu"}, {"label", "training"}, {"profile", "grid_a100d-80c"}});
  scenario["hosts"]["e1"]["gpu_labels"]["gpu7"] = "training";
  const auto error = [&] {
    return test::run_program(scratch, "validate " + scratch.write("s.json", scenario.dump())).err;
  };
  EXPECT_THAT(error(), testing::HasSubstr("a hardware label is for dynamic DirectPath I/O"));
  scenario["vms"]["v"]["gpus"] = json::object({{"mode", "passthrough_dynamic"}});
  EXPECT_THAT(error(), testing::HasSubstr("the host has no GPU \"gpu7\""));
}

// Row 6; VMware's configuration maximums: the sixteen of 8.0U2 are recalled and refuse nothing.
TEST(SeedRows, AVmTakesAsManyVgpusAsItsRelease) {
  const auto refused = [](const std::string& vsphere, std::size_t vgpus) {
    return refused_by(with("8 x a100-pcie-80gb", vsphere,
                           {{"mode", "vgpu"}, {"count", vgpus}, {"profile", "grid_a100d-80c"}}));
  };
  EXPECT_THAT(refused("7.0U3", 4), Not(Contains("vgpu-limit")));
  EXPECT_THAT(refused("7.0U3", 5), Contains("vgpu-limit"));
  EXPECT_TRUE(refused("8.0U1", 8).empty());
  EXPECT_TRUE(refused("8.0U2", 8).empty());
}

// Row 9.
TEST(SeedRows, SeveralVgpusOfAVmAreOfOneHost) {
  const json both = with("2 x a100-pcie-80gb", "8.0U3",
                         {{"mode", "vgpu"}, {"count", 4}, {"profile", "grid_a100d-80c"}});
  EXPECT_THAT(refused_by(both), Contains("vgpu-per-gpu-limit"));
  const json mixed =
      with("2 x a40", "8.0U3",
           {{"mode", "vgpu"}, {"profiles", json::array({"grid_a40-48c", "grid_a40-48q"})}});
  EXPECT_THAT(refused_by(mixed), Contains("multi-vgpu-not-alike"));
}

// Row 76: four and eight GPUs of these servers see each other over NVLink.
TEST(SeedRows, HgxServersOfTheSeedRunOverNvlink) {
  for (const auto& [server, gpus] :
       std::map<std::string, std::string>{{"dell-xe8545", "4 x a100-sxm4-80gb"},
                                          {"dell-xe9680", "8 x h100-sxm5-80gb"},
                                          {"hpe-xl675d", "8 x a100-sxm4-80gb"}}) {
    json scenario = with(gpus, "8.0U3", passthrough());
    for (json& host : scenario["hosts"]) host["server"] = server;
    const json layout = answer("run", scenario);
    const auto count = static_cast<std::size_t>(gpus.front() - '0');
    EXPECT_EQ(layout["ranks"], count) << server;
    const json& hops = layout["ring"]["hops"];
    EXPECT_EQ(hops.size(), 1U) << server;
    EXPECT_EQ(hops.value("NVLink", 0U), count) << hops;
  }
}

// Row 96; NVIDIA AI Enterprise 9: not with vGPUs of Ampere, and a device of the guest's own.
TEST(SeedRows, GpuDirectStorageNeedsADeviceAndNoAmpereVgpu) {
  const auto with_storage = [](const std::string& gpus, const json& vm_gpus) {
    json scenario = with(gpus, "8.0U3", vm_gpus);
    scenario["hosts"]["e1"]["storage"]["read"] = "6.5 GB/s";
    scenario["job"] = {{"ranks", json::array({"v/gpu*"})},
                       {"network", "resnet-50"},
                       {"batch_per_gpu", 64},
                       {"dataset", "imagenet"},
                       {"input", {{"path", "gpudirect_storage"}, {"decode", "gpu"}}}};
    scenario["vms"]["v"]["other_devices"]["nvme"] = 1;
    return scenario;
  };
  json passed = with_storage("2 x a100-pcie-80gb", passthrough());
  EXPECT_TRUE(refused_by(passed).empty());
  passed["vms"]["v"].erase("other_devices");
  EXPECT_THAT(refused_by(passed), Contains("gds-no-device"));
  EXPECT_THAT(
      refused_by(with_storage("2 x a100-pcie-80gb",
                              {{"mode", "vgpu"}, {"count", 2}, {"profile", "grid_a100d-80c"}})),
      Contains("gds-vgpu-gpu"));
}

// Rows 104 and 106; NVIDIA AI Enterprise 3.0: vGPU 15.0 is the first for vSphere 8.0.
TEST(SeedRows, VgpusNeedAManagerForTheReleaseAndPassthroughNone) {
  json scenario = with("2 x a100-pcie-80gb", "8.0U1",
                       {{"mode", "vgpu"}, {"count", 2}, {"profile", "grid_a100d-80c"}});
  scenario["hosts"]["e1"]["vgpu_manager"] = "14.2";
  EXPECT_THAT(refused_by(scenario), Contains("vgpu-manager-vsphere"));
  scenario["vms"]["v"]["gpus"] = passthrough();
  EXPECT_TRUE(refused_by(scenario).empty());
}

TEST(SeedRows, OnlyVgpusPayForTheirLicence) {
  json scenario = with("2 x a100-pcie-80gb", "8.0U3", passthrough());
  scenario["job"] = {{"ranks", json::array({"v/gpu*"})},
                     {"network", "resnet-50"},
                     {"batch_per_gpu", 64},
                     {"samples_per_epoch", 1'000'000}};
  scenario["prices"]["licence_gpu_hour"] = 1.0;
  const auto cost = [&] { return answer("run", scenario)["cost"]["training"].get<double>(); };
  EXPECT_EQ(cost(), 0.0);
  scenario["vms"]["v"]["gpus"] = {{"mode", "vgpu"}, {"count", 2}, {"profile", "grid_a100d-80c"}};
  EXPECT_GT(cost(), 0.0);
}

}  // namespace seed_rows_test
}  // namespace vgsim
